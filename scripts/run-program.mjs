/** Programs of this repository that run for as long as they may take, and no longer. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { root } from './setup.mjs';

/** A program that takes longer than this hangs; the others still deserve their turn. */
const LIMIT_MS = 10 * 60_000;
/** What it may take to end after it was asked to. */
const GRACE_MS = 5_000;

const running = new Set();
let interruptedBy;
process.on('SIGINT', interrupt).on('SIGTERM', interrupt);

/**
 * Runs a program in a process group of its own, so that the time limit and Ctrl-C end everything it
 * started, and answers with its exit code. What it prints goes through, or to `write`.
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
      if (interruptedBy !== undefined) exitWhenAlone();
      else resolve(code ?? 1);
    });
  });
}

function interrupt(signal) {
  interruptedBy = signal;
  for (const child of running) endGroup(child);
  exitWhenAlone();
}

function exitWhenAlone() {
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
