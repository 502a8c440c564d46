import { spawn } from 'node:child_process';
import type { Env } from '../grammar/language.ts';

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens an address with `BROWSER`, or as the system does. False when there is nothing to open it. */
export function openBrowser(url: string, env: Env): Promise<boolean> {
  const [program, ...args] = env.BROWSER
    ? [env.BROWSER]
    : (OPENERS[process.platform] ?? ['xdg-open']);
  return new Promise((resolve) => {
    const child = spawn(program as string, [...args, url], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
