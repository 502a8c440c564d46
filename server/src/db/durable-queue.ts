import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { inRounds } from './in-rounds.ts';
import { isDatabaseAway } from './sql-errors.ts';

/** Work for the database that has to be done even when the database, or this process, goes away. */
export type DurableQueue<Item> = {
  /** Resolves when the item is on disk: from then on it survives the process. */
  add(item: Item): Promise<void>;
  /** Tries what is left for a moment; the next start takes up the rest. */
  stop(): Promise<void>;
};

export type DurableQueueOptions<Item> = {
  /** Nothing else is in it. */
  folder: string;
  log: Logger;
  /** Does the work, which may be repeated. False for an item that has to be tried again. */
  work(items: readonly Item[]): Promise<readonly boolean[]>;
};

const PAUSE_MS = 500;
const STOP_LIMIT_MS = 4_000;

/** What was written together. Without a file when the disk took none. */
type Batch<Item> = { file: string | undefined; items: readonly Item[] };

/**
 * Items are written to a file before anybody relies on them, tried until they are done, and read
 * again by the next start. Whatever comes while a file is written shares the next one.
 */
export async function openDurableQueue<Item>(
  options: DurableQueueOptions<Item>,
): Promise<DurableQueue<Item>> {
  const { folder, log, work } = options;
  let batches = await readBatches<Item>(folder, log);
  let gathered: Item[] = [];
  let writing: Promise<void> = Promise.resolve();
  let nextWrite: Promise<void> | undefined;
  let stopBy = Number.POSITIVE_INFINITY;

  const writeGathered = async () => {
    const items = gathered;
    gathered = [];
    writing = nextWrite as Promise<void>;
    nextWrite = undefined;
    const file = await writeBatch(folder, items).catch((error: unknown) => {
      log.error({ err: error }, 'durable queue: kept in memory alone');
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

  const rounds = inRounds(log, {
    name: 'durable queue',
    pauseMs: PAUSE_MS,
    endsWithRound: true,
    async round() {
      for (const batch of batches) {
        if (performance.now() > stopBy) break;
        // One that waits for a lock, or cannot be done at all, does not hold up the others.
        await finish(batch).catch((error: unknown) => {
          if (!isDatabaseAway(error)) log.error({ err: error }, 'durable queue: one batch');
        });
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
      stopBy = performance.now() + STOP_LIMIT_MS;
      await (nextWrite ?? writing);
      await rounds.stop();
      const left = batches.reduce((total, batch) => total + batch.items.length, 0);
      if (left > 0) log.warn({ left, folder }, 'durable queue: left to the next start');
    },
  };
}

/** A file appears under its name whole, or not at all. */
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

/** Without this the name of a new file may be lost with the power. */
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
  for (const name of names.filter((one) => one.endsWith('.json'))) {
    const file = path.join(folder, name);
    try {
      batches.push({ file, items: JSON.parse(await readFile(file, 'utf8')) });
    } catch (error) {
      // Another process with the same folder may have finished it just now.
      log.warn({ err: error, file }, 'durable queue: a file could not be read');
    }
  }
  return batches;
}
