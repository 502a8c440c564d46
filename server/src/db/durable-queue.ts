import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { repeatEvery } from '../runtime/repeat.ts';
import { logUnlessAway } from './sql-errors.ts';

/** Work for the database that must be done even when the database or this process fails. */
export type DurableQueue<Item> = {
  /**
   * Resolves when the item is on disk: from then on it survives the process. If the write fails,
   * the item is kept in memory alone.
   */
  add(item: Item): Promise<void>;
  /** Tries the remaining items for up to four seconds; the next start does the rest. */
  stop(): Promise<void>;
};

export type DurableQueueOptions<Item> = {
  /** Used by this queue alone. */
  folder: string;
  log: Logger;
  /** Does the work, which must be idempotent. False for an item that has to be retried. */
  work(items: readonly Item[]): Promise<readonly boolean[]>;
};

const PAUSE_MS = 500;
const STOP_LIMIT_MS = 4_000;

/** Items that were written together. The file is undefined when the write failed. */
type Batch<Item> = { file: string | undefined; items: readonly Item[] };

/**
 * Items are written to a file before `add` resolves, retried until they are done, and read back by
 * the next start. Items that arrive during a write share the next file.
 */
export async function openDurableQueue<Item>(
  options: DurableQueueOptions<Item>,
): Promise<DurableQueue<Item>> {
  const { folder, log, work } = options;
  let batches = await readBatches<Item>(folder, log);
  let gathered: Item[] = [];
  let writing: Promise<void> = Promise.resolve();
  let nextWrite: Promise<void> | undefined;
  let stopDeadline = Number.POSITIVE_INFINITY;

  const writeGathered = async () => {
    const items = gathered;
    gathered = [];
    writing = nextWrite as Promise<void>;
    nextWrite = undefined;
    const file = await writeBatch(folder, items).catch((error: unknown) => {
      log.error({ err: error }, 'durable queue: write failed, kept in memory only');
      return undefined;
    });
    batches.push({ file, items });
  };

  const finish = async (batch: Batch<Item>) => {
    const isDone = await work(batch.items);
    batch.items = batch.items.filter((_item, i) => !isDone[i]);
    if (batch.items.length > 0) return;
    batches = batches.filter((other) => other !== batch);
    if (batch.file !== undefined) await rm(batch.file, { force: true });
  };

  const repetition = repeatEvery({
    pauseMs: PAUSE_MS,
    runsOnStop: true,
    onError: logUnlessAway(log, 'durable queue failed'),
    async run() {
      for (const batch of batches) {
        if (performance.now() > stopDeadline) break;
        // A batch that waits for a lock, or always fails, does not block the others.
        await finish(batch).catch(logUnlessAway(log, 'durable queue: batch failed'));
      }
      return false;
    },
  });

  return {
    add(item) {
      gathered.push(item);
      nextWrite ??= writing.then(writeGathered);
      return nextWrite;
    },
    async stop() {
      stopDeadline = performance.now() + STOP_LIMIT_MS;
      await (nextWrite ?? writing);
      await repetition.stop();
      const left = batches.reduce((total, batch) => total + batch.items.length, 0);
      if (left > 0) log.warn({ left, folder }, 'durable queue: entries left for the next start');
    },
  };
}

/** Written under a temporary name, synced and renamed: a file is complete or absent. */
async function writeBatch(folder: string, items: readonly unknown[]): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${randomUUID()}.json`);
  const unfinished = `${file}.new`;
  const handle = await open(unfinished, 'wx', 0o600);
  try {
    await handle.writeFile(JSON.stringify(items));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
  await syncFolder(folder);
  return file;
}

/** Without this, a power cut may lose the name of a new file. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function readBatches<Item>(folder: string, log: Logger): Promise<Batch<Item>[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const batches: Batch<Item>[] = [];
  for (const name of names.filter((entry) => entry.endsWith('.json'))) {
    const file = path.join(folder, name);
    try {
      batches.push({ file, items: JSON.parse(await readFile(file, 'utf8')) });
    } catch (error) {
      // Another process with the same folder may have finished it and removed the file.
      log.warn({ err: error, file }, 'durable queue: file could not be read');
    }
  }
  return batches;
}
