/**
 * Ends test files that take longer than they may, with all that they have started, and says which of
 * their tests was running.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';

const LOOK_EVERY_MS = 500;

/**
 * Watches the files that note themselves in the folder (scripts/note-running.mjs) until it is told to
 * stop, which answers with those that were ended. All of them together have a limit as well.
 */
export function watchFiles({ folder, limitSeconds, allSeconds }) {
  const ended = new Map();
  const startedAt = Date.now();
  const isOver = (since, seconds) => Date.now() - since >= seconds * 1_000;
  const look = () => {
    const isAllOver = isOver(startedAt, allSeconds);
    for (const { pid, note } of readNotes(folder)) {
      if (ended.has(pid) || !(isAllOver || isOver(note.startedAt, limitSeconds))) continue;
      const test = path.relative(root, note.file);
      const limit = isAllOver ? `with its ring after ${allSeconds}` : `after ${limitSeconds}`;
      const reason = `Stopped ${limit} seconds: ${whatHangs(note)}.`;
      ended.set(pid, { test, reason });
      console.log(`${test}: ${reason}`);
      endTree(pid);
    }
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      return [...ended.values()];
    },
  };
}

function whatHangs({ running, finished }) {
  if (running.length > 0) return `running was ${running.map((name) => `"${name}"`).join(', ')}`;
  if (finished === 0) return 'no test had begun';
  return `${finished} tests were over, and something was left open`;
}

function readNotes(folder) {
  return readdirSync(folder).flatMap((name) => {
    try {
      const note = JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
      return [{ pid: Number.parseInt(name, 10), note }];
    } catch {
      // It ends, or writes, right now.
      return [];
    }
  });
}

/** Ends a process and its descendants, also those in process groups of their own. */
function endTree(pid) {
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

/** Every process with its parent. */
function readParents() {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
    return stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // The name of a program may hold anything, brackets too.
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
