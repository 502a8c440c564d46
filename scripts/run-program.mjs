/** Runs programs of this repository with a time limit. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { root } from './setup.mjs';

/** A longer program counts as hung and is stopped, so that the others can run. */
const LIMIT_MS = 10 * 60_000;
/** How long a program may take to end after SIGTERM, before SIGKILL. */
const GRACE_MS = 5_000;

const running = new Set();
let interruptedBy;
process.on('SIGINT', interrupt).on('SIGTERM', interrupt);

/**
 * Runs a program in a separate process group, so that the time limit and Ctrl-C stop everything it
 * started. Returns its exit code. Its output is inherited, or passed to `write`.
 */
export function runProgram(args, { env = {}, write, limitMs = LIMIT_MS } = {}) {
  return new Promise((resolve, reject) => {
    const output = write === undefined ? 'inherit' : 'pipe';
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', output, output],
      detached: process.platform !== 'win32',
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', write);
    running.add(child);
    const limit = setTimeout(() => {
      console.error(`Stopped after ${limitMs / 60_000} minutes.`);
      endGroup(child);
    }, limitMs);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(limit);
      running.delete(child);
      if (interruptedBy !== undefined) exitWhenIdle();
      else resolve(code ?? 1);
    });
  });
}

function interrupt(signal) {
  interruptedBy = signal;
  for (const child of running) endGroup(child);
  exitWhenIdle();
}

function exitWhenIdle() {
  if (running.size === 0) process.exit(128 + constants.signals[interruptedBy]);
}

function endGroup(child) {
  signalGroup(child, 'SIGTERM');
  setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE_MS).unref();
}

function signalGroup(child, signal) {
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
