import { readFileSync } from 'node:fs';
import type { Env } from '../grammar/language.ts';

/** What a key does, by its letter and by what the same key gives on a Russian or Kazakh keyboard. */
const KEYS = {
  o: 'open',
  щ: 'open',
  l: 'log',
  д: 'log',
  r: 'reset',
  к: 'reset',
  q: 'quit',
  й: 'quit',
} as const;
export type KeyAction = (typeof KEYS)[keyof typeof KEYS];

const CTRL_C = '\u0003';
const CTRL_Z = '\u001a';
const ENTER = ['\r', '\n'];

export type Keys = {
  /** Whether the next key is Enter; any other means no. */
  confirm(): Promise<boolean>;
  close(): void;
};

/** Keys need a terminal on both ends, and a process that the terminal listens to. */
export function canReadKeys(env: Env): boolean {
  const { stdin, stdout } = process;
  return stdin.isTTY === true && stdout.isTTY === true && !env.CI && isInForeground();
}

/** A background job that changes the mode of its terminal is stopped by the system. */
function isInForeground(): boolean {
  try {
    // Behind the name in brackets: state, parent, group, session, terminal, group of the terminal.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(')').at(-1)?.trim().split(' ');
    return fields?.[2] === fields?.[5];
  } catch {
    return true;
  }
}

/**
 * Reads single keys. The terminal then sends no signals by itself, so Ctrl-C and Ctrl-Z are passed
 * on; Node gives the terminal back its mode when the process ends.
 */
export function readKeys(act: (action: KeyAction) => void): Keys {
  const { stdin } = process;
  let answer: ((isYes: boolean) => void) | undefined;
  const onData = (text: string) => {
    for (const key of text) {
      if (key === CTRL_C) process.emit('SIGINT');
      else if (key === CTRL_Z) suspend();
      else if (answer !== undefined) {
        const reply = answer;
        answer = undefined;
        reply(ENTER.includes(key));
      } else {
        const action = KEYS[key.toLowerCase() as keyof typeof KEYS];
        if (action !== undefined) act(action);
      }
    }
  };
  const listen = () => stdin.setRawMode(true);
  const suspend = () => {
    stdin.setRawMode(false);
    process.once('SIGCONT', listen);
    process.kill(0, 'SIGTSTP');
  };
  stdin.setEncoding('utf8').on('data', onData);
  listen();
  stdin.resume();
  return {
    confirm: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
    close() {
      stdin.off('data', onData);
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}
