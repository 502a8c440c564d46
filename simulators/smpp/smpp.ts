/**
 * A message centre that speaks SMPP 3.4 on a real socket, strictly, with a codec of its own: it
 * shares nothing with the server but the protocol. Its control address is HTTP on another port.
 */
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { type Acts, act, type Controlled, control } from '../frame/control.ts';
import { integerFrom, phone, text } from '../frame/given.ts';
import {
  listen,
  readCall,
  type Simulator,
  type SimulatorOptions,
} from '../frame/http-simulator.ts';
import { openJournal } from '../frame/journal.ts';
import { createPlans, FRAME_FORMS } from '../frame/plan.ts';
import { transmit } from '../frame/transmit.ts';
import { type Connection, DELIVER_SM, type Figures, serveConnection } from './connection.ts';
import { deliverBody, type ReceiptSpelling } from './receipt-spelling.ts';
import { createReceipts } from './receipts.ts';
import { createSubmissions, type Submissions } from './submissions.ts';

export type SmppOptions = SimulatorOptions & {
  systemId: string;
  password: string;
  /** The only sender that it allows; any well-formed one when not given. */
  sender?: string;
  /** More unanswered messages than this on a connection are refused as too many. */
  window?: number;
  /** And more messages than this in a second. */
  ratePerSecond?: number;
  spelling?: ReceiptSpelling;
  /** How long it waits before it repeats what was not acknowledged. */
  repeatMs?: number;
  tls?: { key: string; cert: string };
  /** Where the control address is; there is none when not given. */
  controlPort?: number;
};

/** What can happen at a message centre besides messages. */
type Happenings = {
  /** Ends all connections at once, without a word. */
  dropConnections(): void;
  /** Whether enquire_link is answered from now on. */
  setAwake(isAwake: boolean): void;
  /** A message from a phone; the status that it was acknowledged with. */
  writeFrom(phone: string, text: string): Promise<number | undefined>;
};

export type SmppSimulator = Simulator &
  Happenings & {
    port: number;
    controlUrl: string | undefined;
    /** Writes octets to all clients, whatever they are. */
    say(octets: Buffer): void;
    /** Asks a client with enquire_link; the status that it answers. */
    enquire(): Promise<number | undefined>;
    figures(): Figures & ReturnType<Submissions['figures']>;
  };

const REPEAT_MS = 100;
const commandStatus = integerFrom(1, 0xffff_ffff);

export async function startSmpp(options: SmppOptions): Promise<SmppSimulator> {
  const { journalFile, spelling = {}, repeatMs = REPEAT_MS } = options;
  const journal = openJournal(journalFile);
  const plans = createPlans();
  const connections = new Set<Connection>();
  const bound = () => [...connections].findLast(({ isBound }) => isBound);
  const receipts = createReceipts({ journal, spelling, repeatMs, bound });
  const submissions = createSubmissions(options, { journal, plans, receipts });
  const figures = noFigures();
  let isAwake = true;

  const port = await serve(options, (socket) => {
    const connection = serveConnection(socket, {
      admit: (systemId, password) => admit(options, systemId, password),
      submit: submissions.take,
      isAwake: () => isAwake,
      figures,
      onBound: receipts.onBound,
      onClosed: (closed) => connections.delete(closed),
    });
    connections.add(connection);
  });
  const simulator: Simulator = {
    name: 'smpp',
    url: `smpp://127.0.0.1:${port.number}`,
    journal,
    plans,
    async report(id, receipt, plan = {}) {
      const part = submissions.find(id);
      if (part === undefined) throw new Error(`smpp took no message ${id}`);
      return await receipts.now(part, receipt, plan);
    },
    settle: () => receipts.settle(),
    async close() {
      port.close();
      controlled?.close();
      await receipts.stop();
    },
  };
  const happenings: Happenings = {
    dropConnections() {
      for (const { socket } of connections) socket.destroy();
    },
    setAwake(awake) {
      isAwake = awake;
    },
    writeFrom: async (from, said) => await bound()?.request(DELIVER_SM, mobileBody(from, said)),
  };
  const controlled = await startControl(options, {
    ...simulator,
    find: submissions.find,
    acts: actsOf(happenings),
  });

  return {
    ...simulator,
    ...happenings,
    port: port.number,
    controlUrl: controlled?.url,
    say(octets) {
      for (const connection of connections) connection.write(octets);
    },
    enquire: async () => await bound()?.enquire(),
    figures: () => ({ ...figures, ...submissions.figures() }),
  };
}

function noFigures(): Figures {
  return { binds: 0, refusedBinds: 0, unbinds: 0, enquiries: 0, strayResponses: [] };
}

function admit(options: SmppOptions, systemId: string, password: string): number {
  if (systemId !== options.systemId) return 0x0f;
  return password === options.password ? 0 : 0x0e;
}

/** `close` ends it at once, with all its connections. */
async function serve({ tls, port }: SmppOptions, onSocket: (socket: Socket) => void) {
  const server = tls === undefined ? createServer(onSocket) : createTlsServer(tls, onSocket);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  return {
    number: (server.address() as AddressInfo).port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function startControl(
  { controlPort }: SmppOptions,
  simulator: Omit<Controlled, 'codes' | 'forms' | 'hasReceipts'>,
) {
  if (controlPort === undefined) return undefined;
  const codes = { fail: commandStatus, refuse: commandStatus };
  const controlled = { ...simulator, codes, forms: FRAME_FORMS, hasReceipts: true };
  const server = createHttpServer(async (request, response) => {
    const call = await readCall(request).catch(() => undefined);
    if (call === undefined) return;
    await transmit(response, await control(call, controlled), { does: 'accept' });
  });
  const close = await listen(server, controlPort);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

function actsOf({ writeFrom, dropConnections, setAwake }: Happenings): Acts {
  const awaken = (isAwake: boolean) => {
    setAwake(isAwake);
    return {};
  };
  return {
    write: act({ phone, text }, async (given) => {
      const status = await writeFrom(given.phone.replace(/^\+/, ''), given.text);
      return { commandStatus: status ?? null };
    }),
    'drop-connections': act({}, () => {
      dropConnections();
      return {};
    }),
    'fall-asleep': act({}, () => awaken(false)),
    'wake-up': act({}, () => awaken(true)),
  };
}

function mobileBody(phone: string, text: string): Buffer {
  const content = Buffer.from(text, 'latin1');
  return deliverBody({ from: phone, to: '1414', esmClass: 0, content, fields: [] });
}
