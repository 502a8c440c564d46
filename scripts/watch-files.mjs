/**
 * Kills test files that exceed their time limit, with all processes they have started, and reports
 * which of their tests were running.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';

const CHECK_EVERY_MS = 500;

/**
 * Watches the test files that scripts/note-running.mjs lists in the folder. `stop` returns the
 * files that were killed. All files together have a limit, too.
 */
export function watchFiles({ folder, limitSeconds, allSeconds }) {
  const killed = new Map();
  const startedAt = Date.now();
  const isExceeded = (since, seconds) => Date.now() - since >= seconds * 1_000;
  const checkNotes = () => {
    const isRingExceeded = isExceeded(startedAt, allSeconds);
    for (const { pid, note } of readNotes(folder)) {
      if (killed.has(pid) || !(isRingExceeded || isExceeded(note.startedAt, limitSeconds)))
        continue;
      const test = path.relative(root, note.file);
      const limit = isRingExceeded ? `with its ring after ${allSeconds}` : `after ${limitSeconds}`;
      const reason = `Stopped ${limit} seconds: ${describeHang(note)}.`;
      killed.set(pid, { test, reason });
      console.log(`${test}: ${reason}`);
      killTree(pid);
    }
  };
  const timer = setInterval(checkNotes, CHECK_EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      return [...killed.values()];
    },
  };
}

function describeHang({ running, finished }) {
  if (running.length > 0) return `still running ${running.map((name) => `"${name}"`).join(', ')}`;
  if (finished === 0) return 'no test had started';
  return `${finished} tests had finished, but the process did not exit`;
}

function readNotes(folder) {
  return readdirSync(folder).flatMap((name) => {
    try {
      const note = JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
      return [{ pid: Number.parseInt(name, 10), note }];
    } catch {
      // The file is being written or removed right now.
      return [];
    }
  });
}

/** Kills a process and its descendants, including those in other process groups. */
function killTree(pid) {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/t', '/f']);
    return;
  }
  const parents = readParents();
  const tree = [pid];
  for (const parent of tree) {
    tree.push(...parents.filter(([, ppid]) => ppid === parent).map(([child]) => child));
  }
  for (const member of tree) {
    try {
      process.kill(member, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
}

/** Every process as a pair of its pid and its parent's pid. */
function readParents() {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
    return stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // The name of a program may contain anything, brackets too.
        const [, ppid] = readFileSync(`/proc/${name}/stat`, 'utf8')
          .split(')')
          .at(-1)
          .trim()
          .split(' ');
        return [[Number(name), Number(ppid)]];
      } catch {
        return [];
      }
    });
}
