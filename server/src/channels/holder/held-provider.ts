import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import type { LiveNodes } from '../../runtime/live-nodes.ts';
import type { Repetition } from '../../runtime/repeat.ts';
import type { Secrets } from '../../secrets.ts';
import type { ProviderIds } from '../combine-providers.ts';
import type { Provider } from '../provider.ts';
import { createHandOver } from './hand-over.ts';
import { keepLease, type Lease } from './lease.ts';
import { serveHanded } from './serve-handed.ts';

export type HolderTools = {
  db: Database;
  log: Logger;
  nodes: LiveNodes;
  secrets: Pick<Secrets, 'seal' | 'unseal'>;
};

/**
 * A provider with permanent connections, of which an account has a number, and a rate. One node at a
 * time holds them, by a lease; the others hand it their messages through the database.
 */
export function withHolder(
  provider: Provider,
  { db, log, nodes, secrets }: HolderTools,
  onLateIds: (provider: string, late: ProviderIds) => void,
): Provider {
  const { name, state } = provider;
  const handOver = createHandOver({ db, provider: name, seal: secrets.seal });
  let lease: Lease | undefined;
  let serving: Repetition | undefined;
  const isHeld = () => lease?.isHeld() ?? false;
  const otherHolder = () => {
    const holder = isHeld() ? nodes.id : lease?.holder();
    return holder === nodes.id ? undefined : holder;
  };

  return {
    ...provider,
    start(report) {
      lease = keepLease({
        ...{ sql: db, provider: name, node: nodes.id, log },
        onTaken() {
          provider.start?.(report);
          serving = serveHanded({
            ...{ db, log, provider: name, node: nodes.id, isHeld },
            hasPeers: () => nodes.list().length > 1,
            unseal: secrets.unseal,
            send: provider.send,
            onLateIds: (late) => onLateIds(name, late),
          });
        },
        async onLost() {
          await serving?.stop();
          await provider.stop?.();
        },
      });
    },
    async stop() {
      await lease?.stop();
      await provider.stop?.();
      lease = undefined;
    },
    async send(message, signal) {
      await lease?.known;
      return await (isHeld() ? provider.send(message, signal) : handOver.send(message, signal));
    },
    ...(state !== undefined && {
      state() {
        const elsewhere = otherHolder();
        return elsewhere === undefined
          ? state()
          : { ...state(), isUp: true, detail: describeHolder(elsewhere) };
      },
    }),
    async check(signal) {
      const elsewhere = otherHolder();
      // A further connection may be more than the account has.
      return elsewhere === undefined
        ? await provider.check(signal)
        : { ok: true, warning: true, detail: describeHolder(elsewhere) };
    },
  };
}

function describeHolder(node: string): string {
  return `Its connections are held by the node ${node}.`;
}
