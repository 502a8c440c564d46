/**
 * A message centre made of npm `smpp`, which shares no code with the service or its simulators.
 * The package has no types, so those of the few things used here are written down.
 */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { AddressInfo, Server, Socket } from 'node:net';
import pino from 'pino';
import type { OutgoingMessage } from '../../src/channels/channel.ts';
import type { ProviderIds } from '../../src/channels/combine-providers.ts';
import type { Provider, ProviderReport, Stop } from '../../src/channels/provider.ts';
import type { SmppSettings } from '../../src/channels/sms/smpp/settings.ts';
import { openSmpp } from '../../src/channels/sms/smpp/smpp.ts';
import { systemClock } from '../../src/clock.ts';
import type { Scope } from '../providers/rig/local-server.ts';
import { codeMessage } from '../providers/rig/messages.ts';
import { centreId, withCentreIds } from '../providers/smpp-rig.ts';

/** Its fields are named as in the specification. */
export type ForeignPdu = {
  command: string;
  command_status: number;
  sequence_number: number;
  response(fields?: Fields): ForeignPdu;
  toBuffer(): Buffer;
} & Record<string, unknown>;
export type Fields = Record<string, unknown>;

export type ForeignSession = {
  socket: Socket;
  send(pdu: ForeignPdu): boolean;
  deliver_sm(fields: Fields, onResponse: (pdu: ForeignPdu) => void): void;
  data_sm(fields: Fields, onResponse: (pdu: ForeignPdu) => void): void;
  on(event: 'pdu', listener: (pdu: ForeignPdu) => void): void;
  on(event: 'error' | 'close', listener: (error: unknown) => void): void;
};

type NodeSmpp = {
  createServer(options: object, onSession: (session: ForeignSession) => void): Server;
  connect(options: object): ForeignSession & Record<string, unknown>;
};

const smpp = createRequire(import.meta.url)('smpp') as NodeSmpp;

export type ForeignCentre = {
  readonly port: number;
  /** Every request of a client except enquire_link, in the order of arrival. */
  readonly requests: readonly ForeignPdu[];
  /** Sessions that are bound now. */
  readonly bound: readonly ForeignSession[];
  /** Sends a deliver_sm or a data_sm to the newest receiver; returns the status of the response. */
  deliver(fields: Fields, command?: 'deliver_sm' | 'data_sm'): Promise<number>;
  close(): void;
};

export type ForeignOptions = {
  port?: number;
  /** Of a bind; 0 for everybody when not given. */
  admit?(bind: ForeignPdu): number;
  /** Answers a submit_sm; with the ids 1001, 1002 and so on when not given. */
  answer?(submit: ForeignPdu, session: ForeignSession): void;
  key?: string;
  cert?: string;
};

const FIRST_ID = 1_001;

export async function startForeignCentre(
  t: Scope,
  { port = 0, admit = () => 0, answer, ...tls }: ForeignOptions = {},
): Promise<ForeignCentre> {
  const requests: ForeignPdu[] = [];
  const bound: ForeignSession[] = [];
  const sockets = new Set<Socket>();
  const transmitters = new Set<ForeignSession>();
  let nextId = FIRST_ID;

  const take = (session: ForeignSession, pdu: ForeignPdu) => {
    if (pdu.command.endsWith('_resp') || pdu.command === 'generic_nack') return;
    if (pdu.command !== 'enquire_link') requests.push(pdu);
    if (pdu.command.startsWith('bind_')) {
      const status = admit(pdu);
      if (status === 0) bound.push(session);
      if (pdu.command === 'bind_transmitter') transmitters.add(session);
      session.send(pdu.response({ command_status: status, system_id: 'foreign' }));
    } else if (pdu.command === 'submit_sm' && answer !== undefined) {
      answer(pdu, session);
    } else if (pdu.command === 'submit_sm') {
      session.send(pdu.response({ message_id: String(nextId++) }));
    } else {
      session.send(pdu.response());
      if (pdu.command === 'unbind') session.socket.end();
    }
  };
  const server = smpp.createServer(tls, (session) => {
    sockets.add(session.socket);
    session.on('pdu', (pdu) => take(session, pdu));
    // A client that goes away without a farewell is no failure of the centre.
    session.on('error', () => session.socket.destroy());
    session.on('close', () => {
      sockets.delete(session.socket);
      const index = bound.indexOf(session);
      if (index >= 0) bound.splice(index, 1);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  t.after(close);
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    bound,
    deliver: (fields, command = 'deliver_sm') =>
      new Promise((resolve, reject) => {
        const session = bound.findLast((one) => !transmitters.has(one));
        if (session === undefined) return reject(new Error('no receiver is bound'));
        session[command](fields, ({ command: answered, command_status }) => {
          if (answered === `${command}_resp`) resolve(command_status);
          else reject(new Error(`${command} was answered with ${answered}`));
        });
      }),
    close,
  };
}

export type ForeignRig = {
  /** With the ids of the centre, without its tag before them. */
  provider: Provider;
  tagged: Provider;
  reports: ProviderReport[];
  stops: Stop[];
  /** The ids that came after the outcome of their message. */
  late: ProviderIds[];
  /** What it logged. */
  said: { level: number; msg: string; why: string }[];
};

/** A provider that is connected to a centre, with what it reports. */
export function connectTo(
  t: Scope,
  { port }: Pick<ForeignCentre, 'port'>,
  settings: Partial<SmppSettings> = {},
  /** Whether a receipt finds its message. */
  isMatched: (report: ProviderReport) => boolean = () => true,
): ForeignRig {
  const reports: ProviderReport[] = [];
  const stops: Stop[] = [];
  const usual = { host: '127.0.0.1', systemId: 'zhiber', password: 'k9-Wq2xZ', sender: 'Zhiber' };
  const said: ForeignRig['said'] = [];
  const log = pino({}, { write: (line) => said.push(JSON.parse(line)) });
  const recordStop = async (stop: Stop) => stops.push(stop);
  const late: ForeignRig['late'] = [];
  const onLateIds = (_provider: string, ids: ProviderIds) =>
    void late.push({ ...ids, providerIds: ids.providerIds.map(centreId) });
  const tagged = openSmpp(
    { ...usual, ...settings, port },
    { clock: systemClock, log, recordStop, onLateIds },
  );
  const provider = withCentreIds(tagged);
  provider.start?.(async (report) => {
    reports.push(report);
    return { isMatched: isMatched(report) };
  });
  t.after(() => provider.stop?.());
  return { provider, tagged, reports, stops, late, said };
}

export function textMessage(text: string, changes: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return codeMessage({ text, code: undefined, ttlSeconds: undefined, ...changes });
}
