import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { type DurableQueue, openDurableQueue } from './durable-queue.ts';

const log = pino({ level: 'silent' });
const root = mkdtempSync(path.join(tmpdir(), 'zhiber-queue-'));
const opened: DurableQueue<number>[] = [];
after(async () => {
  for (const queue of opened) await queue.stop();
  rmSync(root, { recursive: true, force: true });
});
let folders = 0;

/** A queue whose work can be made to fail, like a database that is away. */
async function open(folder = path.join(root, String(++folders))) {
  const done: number[] = [];
  const outside = { isAway: false, isLater: (_item: number) => false };
  const queue: DurableQueue<number> = await openDurableQueue<number>({
    folder,
    log,
    async work(items) {
      if (outside.isAway) throw Object.assign(new Error('shutting down'), { code: '57P01' });
      const now = items.filter((item) => !outside.isLater(item));
      done.push(...now);
      return items.map((item) => now.includes(item));
    },
  });
  opened.push(queue);
  return { queue, done, outside, folder, files: () => filesOf(folder) };
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(10);
}

test('an item is on disk when add resolves, and its file is removed once it is done', async () => {
  const { queue, done, outside, files } = await open();
  outside.isAway = true;
  await queue.add(1);
  assert.equal(files().length, 1);
  outside.isAway = false;
  await until(() => files().length === 0);
  assert.deepEqual(done, [1]);
  await queue.stop();
});

test('a stop without the database ends, and the next start does the rest once', async () => {
  const first = await open();
  first.outside.isAway = true;
  await Promise.all([1, 2, 3].map((item) => first.queue.add(item)));
  await first.queue.stop();
  assert.deepEqual(first.done, []);
  const second = await open(first.folder);
  await until(() => second.files().length === 0);
  await second.queue.stop();
  assert.deepEqual(second.done.toSorted(), [1, 2, 3]);
  const third = await open(first.folder);
  await third.queue.stop();
  assert.deepEqual(third.done, []);
});

test('a stop runs once more for items added since the last run', async () => {
  const { queue, done, files } = await open();
  await queue.add(7);
  await queue.stop();
  assert.deepEqual(done, [7]);
  assert.deepEqual(files(), []);
});

test('thousands at once share a few files', async () => {
  const { queue, done, outside, files } = await open();
  outside.isAway = true;
  await Promise.all(Array.from({ length: 2_000 }, (_, item) => queue.add(item)));
  assert.ok(files().length <= 2, `${files().length} files`);
  outside.isAway = false;
  await queue.stop();
  assert.equal(new Set(done).size, 2_000);
});

test('an item that cannot be done yet stays, and does not block the others', async () => {
  const { queue, done, outside, files } = await open();
  outside.isLater = (item) => item === 1;
  await Promise.all([queue.add(1), queue.add(2)]);
  await queue.add(3);
  await until(() => done.includes(2) && done.includes(3) && files().length === 1);
  outside.isLater = () => false;
  await until(() => files().length === 0);
  assert.deepEqual(done.toSorted(), [1, 2, 3]);
  await queue.stop();
});

test('items are worked off even when they cannot be written to disk', async () => {
  const { queue, done, folder } = await open();
  writeFileSync(folder, 'a file where the folder should be');
  await queue.add(1);
  await queue.stop();
  assert.deepEqual(done, [1]);
});
