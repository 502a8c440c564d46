/**
 * A real server process for hostile callers. After the tests it must be the same process, without
 * an error in its log and with a clean audit.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before } from 'node:test';
import { createHome, createSql, type Settings, waitUntil } from '../start/serve-harness.ts';

export type Memory = { heapMb: number; rssMb: number };

type Started = Awaited<ReturnType<ReturnType<typeof createHome>['serve']>>;

/**
 * Starts the server for a test file, then runs `prepare`. A second `before` hook would not wait for
 * the start.
 */
export function useHostileServer(options: { settings?: Settings; prepare?(): Promise<void> } = {}) {
  const home = createHome();
  let started: Started | undefined;
  const server = (): Started => {
    assert(started !== undefined, 'the server has not been started');
    return started;
  };

  before(async () => {
    // The inspector measures the heap after a garbage collection.
    started = await home.serve({
      NODE_OPTIONS: '--inspect=127.0.0.1:0',
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
    /** Creates a key of the demo company; `args` are those of `key create`. */
    async key(...args: string[]): Promise<{ key: string; keyId: number }> {
      const company = String(server().facts.company_id);
      const created = await zhiber('key', 'create', '--company', company, '--name', 'k', ...args);
      return { key: created.key as string, keyId: created.key_id as number };
    },
    sql: createSql(home.dataDir),
    memory: () => readMemory(server()),
    /** How many bytes the process has read since its start, from sockets, files and pipes. */
    readBytes(): number {
      const io = readFileSync(`/proc/${server().child.pid}/io`, 'utf8');
      return Number(/rchar: (\d+)/.exec(io)?.[1]);
    },
    /** Fails unless the started process still runs, logged no error and passes the audit. */
    async assertUnharmed(): Promise<void> {
      const { child, err } = server();
      assert.equal(child.exitCode, null, `the process has ended: ${err().slice(-2_000)}`);
      assert.equal(child.signalCode, null, 'the process was killed');
      const errors = err().match(/^.*"level":[56]0.*$/gm) ?? [];
      assert.deepEqual(errors.slice(0, 3), [], 'the log contains errors');
      const audit = await zhiber('audit');
      assert.equal(audit.ok, true, JSON.stringify(audit));
    },
  };
}

export type HostileServer = ReturnType<typeof useHostileServer>;

async function readMemory(server: Started): Promise<Memory> {
  const inspectorUrl = /ws:\/\/\S+/;
  await waitUntil(() => inspectorUrl.test(server.err()), server);
  const heapBytes = await readHeap(inspectorUrl.exec(server.err())?.[0] as string);
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8');
  const rssKb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
  return { heapMb: heapBytes / 2 ** 20, rssMb: rssKb / 2 ** 10 };
}

/** The used heap after a full garbage collection, read through the inspector. */
async function readHeap(inspector: string): Promise<number> {
  const socket = new WebSocket(inspector);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  let lastId = 0;
  const ask = (method: string) =>
    new Promise<{ usedSize: number }>((resolve) => {
      const id = ++lastId;
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

/** The growth of memory as ratios and as text. */
export function compareMemory(first: Memory, last: Memory) {
  const heapRatio = last.heapMb / first.heapMb;
  const rssRatio = last.rssMb / first.rssMb;
  const text =
    `heap ${first.heapMb.toFixed(1)} -> ${last.heapMb.toFixed(1)} MB (${heapRatio.toFixed(2)}), ` +
    `RSS ${first.rssMb.toFixed(0)} -> ${last.rssMb.toFixed(0)} MB (${rssRatio.toFixed(2)})`;
  return { heapRatio, rssRatio, text };
}
