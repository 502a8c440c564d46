import type { IncomingHttpHeaders } from 'node:http';
import type { Journal } from './journal.ts';
import type { Plan, Plans, SimulatedReceipt } from './plan.ts';

export type SimulatedCall = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
};

export type Simulator = {
  name: string;
  url: string;
  journal: Journal;
  plans: Plans;
  /** Reports a receipt of a message now; returns the service's status for each copy. */
  report(id: string, receipt: SimulatedReceipt, plan?: Partial<Plan>): Promise<number[]>;
  /** Waits for pending reports. */
  settle(): Promise<void>;
  close(): Promise<void>;
};
