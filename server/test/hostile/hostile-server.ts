/**
 * A server process of its own that hostile callers may do anything to. Whatever they did, in the
 * end it must be the same process, without an error in its log, with its money in order.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before } from 'node:test';
import pg from 'pg';
import {
  AS_DELIVERED,
  createHome,
  embeddedDatabase,
  type Settings,
  until,
} from '../start/serve-harness.ts';

/** Whether the proofs run as often as their claim says. */
export const IS_FULL = process.env.ZHIBER_TEST_FULL === '1';

export type Memory = { heapMb: number; rssMb: number };

type Started = Awaited<ReturnType<ReturnType<typeof createHome>['serve']>>;

/**
 * Starts the server for a test file. What `prepare` does comes after the start: hooks of a whole
 * file do not wait for each other.
 */
export function useHostileServer(options: { settings?: Settings; prepare?(): Promise<void> } = {}) {
  const home = createHome();
  let started: Started | undefined;
  const server = (): Started => {
    assert(started !== undefined, 'the server has not been started');
    return started;
  };

  before(async () => {
    // The inspector tells how much is in use once the garbage is out.
    started = await home.serve({
      NODE_OPTIONS: '--inspect=127.0.0.1:0',
      ...AS_DELIVERED,
      ...options.settings,
    });
    await options.prepare?.();
  });
  after(() => home.remove());

  const zhiber = async (...args: string[]): Promise<Record<string, unknown>> => {
    const { out, err } = await home.run([...args, '--json']);
    assert.notEqual(out, '', err);
    return JSON.parse(out);
  };

  return {
    home,
    server,
    zhiber,
    get port(): number {
      return server().facts.port;
    },
    get keys(): { live: string; test: string } {
      const { keys } = server().facts;
      assert(keys !== null);
      return keys;
    },
    /** Makes a key of the demo company; `args` are those of `key create`. */
    async key(...args: string[]): Promise<{ key: string; keyId: number }> {
      const company = String(server().facts.company_id);
      const made = await zhiber('key', 'create', '--company', company, '--name', 'k', ...args);
      return { key: made.key as string, keyId: made.key_id as number };
    },
    /** Asks the database itself. */
    async sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
      const client = new pg.Client(embeddedDatabase(home.dataDir));
      await client.connect();
      try {
        return (await client.query<Row>(text, values)).rows;
      } finally {
        await client.end();
      }
    },
    memory: () => readMemory(server()),
    /** What the process has read since its start: from its connections, its files and its pipes. */
    readBytes(): number {
      const io = readFileSync(`/proc/${server().child.pid}/io`, 'utf8');
      return Number(/rchar: (\d+)/.exec(io)?.[1]);
    },
    /** Fails unless the process that was started has come through unharmed. */
    async assertUnharmed(): Promise<void> {
      const { child, err } = server();
      assert.equal(child.exitCode, null, `the process has ended: ${err().slice(-2_000)}`);
      assert.equal(child.signalCode, null, 'the process was killed');
      const errors = err().match(/^.*"level":[56]0.*$/gm) ?? [];
      assert.deepEqual(errors.slice(0, 3), [], 'the log holds errors');
      const audit = await zhiber('audit');
      assert.equal(audit.ok, true, JSON.stringify(audit));
    },
  };
}

export type HostileServer = ReturnType<typeof useHostileServer>;

async function readMemory(server: Started): Promise<Memory> {
  const announced = /ws:\/\/\S+/;
  await until(() => announced.test(server.err()), server);
  const heapBytes = await readHeap(announced.exec(server.err())?.[0] as string);
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8');
  const rssKb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
  return { heapMb: heapBytes / 2 ** 20, rssMb: rssKb / 2 ** 10 };
}

/** What the process has in use after a full collection, asked through its inspector. */
async function readHeap(inspector: string): Promise<number> {
  const socket = new WebSocket(inspector);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  let asked = 0;
  const ask = (method: string) =>
    new Promise<{ usedSize: number }>((resolve) => {
      const id = ++asked;
      socket.addEventListener('message', ({ data }) => {
        const answer = JSON.parse(String(data));
        if (answer.id === id) resolve(answer.result);
      });
      socket.send(JSON.stringify({ id, method }));
    });
  await ask('HeapProfiler.enable');
  await ask('HeapProfiler.collectGarbage');
  const { usedSize } = await ask('Runtime.getHeapUsage');
  socket.close();
  return usedSize;
}

/** How memory has changed, for people and for a limit. */
export function compareMemory(first: Memory, last: Memory) {
  const heapRatio = last.heapMb / first.heapMb;
  const rssRatio = last.rssMb / first.rssMb;
  const text =
    `heap ${first.heapMb.toFixed(1)} -> ${last.heapMb.toFixed(1)} MB (${heapRatio.toFixed(2)}), ` +
    `RSS ${first.rssMb.toFixed(0)} -> ${last.rssMb.toFixed(0)} MB (${rssRatio.toFixed(2)})`;
  return { heapRatio, rssRatio, text };
}
