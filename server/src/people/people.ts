import type { IncomingHttpHeaders } from 'node:http';
import type { Visitor } from './visitor.ts';

/** Accounts of people, their sessions and how they prove who they are. */
export type People = {
  /** Undefined when nobody is signed in, or no longer. */
  findVisitor(headers: IncomingHttpHeaders): Promise<Visitor | undefined>;
};
