/**
 * The example of `deploy/ha` as the clients of the crash ring see it: one port, behind which nodes and
 * database servers come and go, and the provider simulator outside of all of it.
 */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type Example, type NodeProgram, openExample, until } from '../../../deploy/ha/example.ts';
import type { Programs } from '../../../deploy/ha/needed-programs.ts';
import { type Acknowledgement, openJournal } from '../checker/logs.ts';
import { createRunClock, openProviderSimulator } from '../crashes/provider-simulator.ts';
import { openRunRecords } from '../crashes/run-records.ts';
import { freePort } from '../free-port.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const NODES = 3;

export type TrialRig = Awaited<ReturnType<typeof openTrialRig>>;

/** `firstProgram` is what the nodes run at first. */
export async function openTrialRig(options: { programs: Programs; firstProgram: string }) {
  const folder = createTemporaryFolder('ha');
  const logFolder = path.join(folder, 'logs');
  mkdirSync(logFolder);
  const clock = createRunClock();
  const receiptsPorts: number[] = [];
  for (let node = 0; node < NODES; node++) receiptsPorts.push(await freePort());
  let receipts = 0;
  const provider = await openProviderSimulator({
    folder: logFolder,
    clock,
    // A receipt comes to any node, and not to the one that has sent.
    receiptsPort: () => receiptsPorts[receipts++ % NODES] as number,
  });
  const clients = openJournal<Acknowledgement>(path.join(logFolder, 'clients.log'));
  const programOf = (node: number, file: string): NodeProgram => ({
    file,
    settings: {
      PROVIDER_URL: provider.url,
      RECEIPTS_PORT: String(receiptsPorts[node]),
      LOG_LEVEL: 'error',
    },
  });

  let example: Example;
  try {
    example = await openExample({
      folder: path.join(folder, 'example'),
      programs: options.programs,
      programOf: (node) => programOf(node, options.firstProgram),
    });
  } catch (error) {
    await provider.close();
    throw error;
  }
  const { databaseUrl, places } = example;
  const connection = { connectionString: databaseUrl };
  const records = openRunRecords({ connection, clock, provider, clients });

  return {
    ...records,
    ...{ example, clock, provider, clients, folder },
    port: places.port,
    /** The settings with which a command finds the database. */
    settings: { DATABASE_URL: databaseUrl, SECRET: places.secret },
    async waitUntilHealthy(): Promise<void> {
      await until('the service answers', async () => {
        const answer = await fetch(`http://localhost:${places.port}/api/health`).catch(
          () => undefined,
        );
        await answer?.body?.cancel();
        return answer?.ok;
      });
    },
    /** Waits until this many more requests have succeeded. */
    async waitUntilServed(count: number): Promise<void> {
      const served = () => clients.entries.filter(({ outcome }) => outcome === 'ok').length;
      const enough = served() + count;
      await until(`${count} more requests succeed`, async () => served() >= enough);
    },
    /** Starts a node again, perhaps with another program, and waits until it can send. */
    async startNode(index: number, program: string): Promise<void> {
      const node = example.nodes[index] as Example['nodes'][number];
      node.process = node.start(programOf(index, program));
      await until(`${node.name} is ready`, async () => {
        const answer = await fetch(`http://127.0.0.1:${node.opsPort}/ready`).catch(() => undefined);
        await answer?.body?.cancel();
        return answer?.ok;
      });
    },
    async close({ isKept = false } = {}): Promise<void> {
      await records.close();
      await provider.close();
      await example.stop();
      if (!isKept) rmSync(folder, { recursive: true, force: true });
    },
  };
}
