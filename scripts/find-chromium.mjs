/** Finds the Chromium for the browser tests, and on Debian installs one when there is none. */
import { execFileSync } from 'node:child_process';
import { findOnPath, installOnDebian, isExecutable } from './debian-packages.mjs';

/** The headless build takes half the time of the others, and renders the same. */
const HEADLESS_SHELL = 'chromium-headless-shell';
const NAMES = [HEADLESS_SHELL, 'chromium', 'chromium-browser', 'google-chrome'];

/** Chromium's own sandbox does not work as root or in containers; the tests open only our pages. */
const ARGS = ['--no-sandbox', '--disable-dev-shm-usage'];

/** The path of Chromium and its arguments; throws one clear sentence when there is none. */
export async function findChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (!isExecutable(given)) throw new Error(`CHROMIUM_PATH is not a program: ${given}`);
    return { executablePath: given, args: ARGS };
  }
  const found = (await findPacked()) ?? findOnPath(NAMES);
  if (found !== undefined) return { executablePath: found, args: ARGS };
  await installOnDebian([HEADLESS_SHELL], 'Chromium for the browser tests');
  const installed = findOnPath(NAMES);
  if (installed !== undefined) return { executablePath: installed, args: ARGS };
  throw new Error('No Chromium found: install one, or set CHROMIUM_PATH to its program.');
}

/** The npm package has a build for x86-64 Linux alone. */
async function findPacked() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  try {
    const { default: chromium } = await import('@sparticuz/chromium');
    const file = await chromium.executablePath();
    // The packed build may lack a system library; `--version` shows whether it runs at all.
    execFileSync(file, ['--version'], { stdio: 'ignore', timeout: 30_000 });
    return file;
  } catch (error) {
    console.error(`The packed Chromium does not run here (${error.message.split('\n')[0]}).`);
    return undefined;
  }
}
