/**
 * A strict SMPP 3.4 message centre on a real socket, with a codec of its own: it shares no code
 * with the server. Its control API is HTTP on another port.
 */
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { type Acts, act, type Controlled, control } from '../frame/control.ts';
import { listen, readCall, type SimulatorOptions } from '../frame/http-simulator.ts';
import { openJournal } from '../frame/journal.ts';
import { createPlans, FRAME_FORMS } from '../frame/plan.ts';
import { integerFrom, phone, text } from '../frame/request-fields.ts';
import type { Simulator } from '../frame/simulator.ts';
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
  /** The limit of unanswered messages per connection; more are throttled. */
  window?: number;
  /** The limit of messages per second; more are throttled. */
  ratePerSecond?: number;
  spelling?: ReceiptSpelling;
  /** The pause before an unacknowledged receipt is repeated. */
  repeatMs?: number;
  tls?: { key: string; cert: string };
  /** The port of the control API; there is none when not given. */
  controlPort?: number;
};

/** Events at a message centre besides messages. */
type CentreEvents = {
  /** Ends all connections at once, without an unbind. */
  dropConnections(): void;
  /** Whether enquire_link is answered from now on. */
  setAwake(isAwake: boolean): void;
  /** Delivers a message from a phone; returns the status of the acknowledgement. */
  writeFrom(phone: string, text: string): Promise<number | undefined>;
};

export type SmppSimulator = Simulator &
  CentreEvents & {
    port: number;
    controlUrl: string | undefined;
    /** Writes arbitrary octets to all clients. */
    say(octets: Buffer): void;
    /** Sends enquire_link to a client; returns the status of its response. */
    enquire(): Promise<number | undefined>;
    figures(): Figures & ReturnType<Submissions['figures']>;
  };

const REPEAT_MS = 100;
const UCS2 = 8;
const commandStatus = integerFrom(1, 0xffff_ffff);

export async function startSmpp(options: SmppOptions): Promise<SmppSimulator> {
  const { journalFile, spelling = {}, repeatMs = REPEAT_MS } = options;
  const journal = openJournal(journalFile);
  const plans = createPlans();
  const connections = new Set<Connection>();
  const bound = () => [...connections].findLast(({ isReceiver }) => isReceiver);
  const receipts = createReceipts({ journal, spelling, repeatMs, bound });
  const submissions = createSubmissions(options, { journal, plans, receipts });
  const figures = createProviderMetrics();
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
  const events: CentreEvents = {
    dropConnections() {
      for (const { socket } of connections) socket.destroy();
    },
    setAwake(awake) {
      isAwake = awake;
    },
    writeFrom: async (from, body) => await bound()?.request(DELIVER_SM, mobileBody(from, body)),
  };
  const controlled = await startControl(options, {
    ...simulator,
    find: submissions.find,
    acts: createActs(events),
  });

  return {
    ...simulator,
    ...events,
    port: port.number,
    controlUrl: controlled?.url,
    say(octets) {
      for (const connection of connections) connection.write(octets);
    },
    enquire: async () => await bound()?.enquire(),
    figures: () => ({ ...figures, ...submissions.figures() }),
  };
}

function createProviderMetrics(): Figures {
  return { binds: 0, refusedBinds: 0, unbinds: 0, enquiries: 0, strayResponses: [] };
}

function admit(options: SmppOptions, systemId: string, password: string): number {
  if (systemId !== options.systemId) return 0x0f;
  return password === options.password ? 0 : 0x0e;
}

/** `close` ends the server and all its connections at once. */
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

function createActs({ writeFrom, dropConnections, setAwake }: CentreEvents): Acts {
  const applyAwake = (isAwake: boolean) => {
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
    'fall-asleep': act({}, () => applyAwake(false)),
    'wake-up': act({}, () => applyAwake(true)),
  };
}

function mobileBody(phone: string, text: string): Buffer {
  const isPlain = /^[\x20-\x7e\r\n]*$/.test(text);
  const content = isPlain ? Buffer.from(text, 'latin1') : Buffer.from(text, 'utf16le').swap16();
  const dataCoding = isPlain ? 0 : UCS2;
  return deliverBody({ from: phone, to: '1414', esmClass: 0, content, dataCoding, fields: [] });
}
