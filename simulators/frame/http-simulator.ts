/**
 * The shared part of all HTTP simulators: a real server with a journal, plans, and a control API.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { type Acts, control } from './control.ts';
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
import { code, type Field, httpStatus } from './request-fields.ts';
import type { SimulatedCall, Simulator } from './simulator.ts';
import { type Reply, transmit } from './transmit.ts';

/** The provider-specific part of a simulator. */
export type Protocol = {
  name: string;
  /** Answers a call as strictly as the provider does. */
  answer(call: SimulatedCall, simulator: ProtocolContext): Reply | PlannedReply | undefined;
  /** The callback that reports a receipt; undefined when the provider sends none for it. */
  toReport?(message: TakenMessage, receipt: SimulatedReceipt, plan: Plan): Callback | undefined;
  /** The refusal codes that plans may use; any text or number when not given. */
  refusalCode?: Field<string | number>;
  /** The acts that its control API can trigger. */
  acts?: Acts;
};

/** An answer to a message; its plan may break the transmission. */
export type PlannedReply = Reply & { plan: Plan; taken: TakenMessage | undefined };

/** What a protocol can use to answer a call. */
export type ProtocolContext = {
  journal: Journal;
  planFor(to: string): Plan;
  /** Records a message as taken, unless its plan loses it. */
  take(plan: Plan, message: TakenMessage): TakenMessage | undefined;
  find(id: string): TakenMessage | undefined;
  /** The receipts reported for a message so far. */
  receiptsOf(id: string): readonly SimulatedReceipt[];
};

/** How long the answer waits for early receipts. */
const EARLY_MS = 300;

export type SimulatorOptions = {
  /** Any free port when not given. */
  port?: number;
  /** A file that the journal is also appended to. */
  journalFile?: string;
  /** The start of its id counter, so that ids are not reused after a restart. */
  firstNumber?: number;
};

export async function startHttpSimulator(
  protocol: Protocol,
  options: SimulatorOptions = {},
): Promise<Simulator> {
  const journal = openJournal(options.journalFile);
  const plans = createPlans();
  const reports = createReports(protocol, journal);
  const context = openProtocolContext({ journal, plans, reports });
  const report: Simulator['report'] = async (id, receipt, plan = {}) => {
    const message = context.find(id);
    if (message === undefined) throw new Error(`${protocol.name} took no message ${id}`);
    return await reports.now(message, receipt, { does: 'accept', ...plan });
  };

  const controlled = {
    name: protocol.name,
    journal,
    plans,
    find: context.find,
    report,
    codes: { fail: httpStatus, refuse: protocol.refusalCode ?? code },
    forms: HTTP_FORMS,
    hasReceipts: protocol.toReport !== undefined,
    acts: protocol.acts ?? {},
  };
  const server = createServer(async (request, response) => {
    const call = await readCall(request).catch(() => undefined);
    if (call === undefined) return;
    if (call.path.startsWith('/_simulator/')) {
      return await transmit(response, await control(call, controlled), { does: 'accept' });
    }
    const reply = protocol.answer(call, context) ?? { status: 404, body: '' };
    if (!isPlanned(reply)) {
      // Long segments are removed: the path may contain a token.
      const path = call.path.replace(/[^/]{20,}/g, '…');
      journal.write({ event: 'call', path, status: reply.status });
      return await transmit(response, reply, { does: 'accept' });
    }
    const { plan, taken } = reply;
    if (taken !== undefined) {
      reports.later(taken, plan);
      // A report that the service does not accept yet is retried, and must not block the answer.
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

function openProtocolContext(parts: {
  journal: Journal;
  plans: Plans;
  reports: Reports;
}): ProtocolContext {
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

/** Returns a function that closes the server and its connections at once. */
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
