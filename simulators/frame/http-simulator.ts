/**
 * What all simulators over HTTP share: a real server with a journal, plans, and a control address.
 */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { type Acts, control } from './control.ts';
import { code, type Field, httpStatus } from './given.ts';
import { type Journal, openJournal, type TakenMessage } from './journal.ts';
import {
  createPlans,
  HTTP_FORMS,
  isTaken,
  type Plan,
  type Plans,
  type SimulatedReceipt,
} from './plan.ts';
import { type Callback, createReports, type Reports } from './reports.ts';
import { type Reply, transmit } from './transmit.ts';

export type SimulatedCall = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
};

/** What a provider's simulator adds to the frame. */
export type Protocol = {
  name: string;
  /** Answers a call as strictly as the provider does. */
  answer(call: SimulatedCall, simulator: Desk): Reply | PlannedReply | undefined;
  /** A call to the service that reports a receipt; undefined when the provider sends none for it. */
  reportOf?(message: TakenMessage, receipt: SimulatedReceipt, plan: Plan): Callback | undefined;
  /** How its refusals are named in plans; by any text or number when not given. */
  refusalCode?: Field<string | number>;
  /** What people can be made to do at its control address. */
  acts?: Acts;
};

/** An answer to a message, which a plan may break on its way. */
export type PlannedReply = Reply & { plan: Plan; taken: TakenMessage | undefined };

/** What a protocol may use while it answers. */
export type Desk = {
  journal: Journal;
  planFor(to: string): Plan;
  /** Writes a message down as taken, unless the plan says that it gets lost. */
  take(plan: Plan, message: TakenMessage): TakenMessage | undefined;
  find(id: string): TakenMessage | undefined;
  /** The receipts that were reported of a message so far. */
  receiptsOf(id: string): readonly SimulatedReceipt[];
};

export type Simulator = {
  name: string;
  url: string;
  journal: Journal;
  plans: Plans;
  /** Reports a receipt of a message now, and tells how the service answered each copy. */
  report(id: string, receipt: SimulatedReceipt, plan?: Partial<Plan>): Promise<number[]>;
  /** Waits for reports that are under way. */
  settle(): Promise<void>;
  close(): Promise<void>;
};

/** How far early receipts are ahead of the answer. */
const EARLY_MS = 300;

export type SimulatorOptions = {
  /** Any free one when not given. */
  port?: number;
  /** Where the journal is written too, behind what is there already. */
  journalFile?: string;
  /** What it counts its ids from, so that they are not given again after a restart. */
  firstNumber?: number;
};

export async function startHttpSimulator(
  protocol: Protocol,
  options: SimulatorOptions = {},
): Promise<Simulator> {
  const journal = openJournal(options.journalFile);
  const plans = createPlans();
  const reports = createReports(protocol, journal);
  const desk = openDesk({ journal, plans, reports });
  const report: Simulator['report'] = async (id, receipt, plan = {}) => {
    const message = desk.find(id);
    if (message === undefined) throw new Error(`${protocol.name} took no message ${id}`);
    return await reports.now(message, receipt, { does: 'accept', ...plan });
  };

  const controlled = {
    name: protocol.name,
    journal,
    plans,
    find: desk.find,
    report,
    codes: { fail: httpStatus, refuse: protocol.refusalCode ?? code },
    forms: HTTP_FORMS,
    hasReceipts: protocol.reportOf !== undefined,
    acts: protocol.acts ?? {},
  };
  const server = createServer(async (request, response) => {
    const call = await readCall(request).catch(() => undefined);
    if (call === undefined) return;
    if (call.path.startsWith('/_simulator/')) {
      return await transmit(response, await control(call, controlled), { does: 'accept' });
    }
    const reply = protocol.answer(call, desk) ?? { status: 404, body: '' };
    if (!isPlanned(reply)) {
      // Without what is long: a token may stand in the path.
      const path = call.path.replace(/[^/]{20,}/g, '…');
      journal.write({ event: 'call', path, status: reply.status });
      return await transmit(response, reply, { does: 'accept' });
    }
    const { plan, taken } = reply;
    if (taken !== undefined) {
      reports.later(taken, plan);
      // A report that the service does not take yet is repeated, and must not hold up the answer.
      if (plan.isEarly === true) await Promise.race([reports.settle(), pause(EARLY_MS)]);
    }
    await transmit(response, reply, plan);
  });
  const closeServer = await listen(server, options.port ?? 0);

  return {
    name: protocol.name,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    journal,
    plans,
    report,
    settle: () => reports.settle(),
    async close() {
      closeServer();
      await reports.stop();
    },
  };
}

function isPlanned(reply: Reply | PlannedReply): reply is PlannedReply {
  return 'plan' in reply;
}

function openDesk(parts: { journal: Journal; plans: Plans; reports: Reports }): Desk {
  const { journal, plans, reports } = parts;
  const messages = new Map<string, TakenMessage>();
  let lastId: string | undefined;
  return {
    journal,
    planFor: (to) => plans.take(to),
    take(plan, message) {
      if (!isTaken(plan)) return undefined;
      const id = plan.sameId === true && lastId !== undefined ? lastId : message.id;
      lastId = id;
      const taken = { ...message, id };
      journal.write({ event: 'taken', ...taken });
      messages.set(id, taken);
      return taken;
    },
    find: (id) => messages.get(id),
    receiptsOf: (id) => reports.of(id),
  };
}

/** Returns what ends it at once, with all its connections. */
export async function listen(server: Server, port: number): Promise<() => void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.keepAliveTimeout = 30_000;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
}

export async function readCall(request: IncomingMessage): Promise<SimulatedCall> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://simulator');
  return {
    method: request.method ?? 'GET',
    path: pathname,
    query: searchParams,
    headers: request.headers,
    body: await buffer(request),
  };
}
