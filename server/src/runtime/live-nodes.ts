import { hostname } from 'node:os';
import { randomBytes } from '../random.ts';
import { VERSION } from '../version.ts';

/** A running process of the service. Its role is null in the release before. */
export type LiveNode = { version: string; role: string | null };

/** The processes on this database, as this one last saw them. */
export type LiveNodes = {
  /** The name of this node. */
  readonly id: string;
  /** All of them, this one first. */
  list(): readonly LiveNode[];
  /** How many answer requests; at least 1. */
  answering(): number;
  /** Replaces what is known of the other nodes. */
  see(others: readonly LiveNode[]): void;
};

/** This process as a node that knows of no other one yet. */
export function createLiveNodes(role: string): LiveNodes {
  const own: LiveNode = { version: VERSION, role };
  let nodes: readonly LiveNode[] = [own];
  return {
    // Two containers may have one host name and one pid.
    id: `${hostname()} ${process.pid} ${randomBytes(2).toString('hex')}`,
    list: () => nodes,
    answering: () => Math.max(1, nodes.filter((node) => node.role !== 'worker').length),
    see(others) {
      nodes = [own, ...others];
    },
  };
}
