/** Runs real `npm run simulators` processes, and a listener in place of the service. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createHome, type Running, waitUntil } from './serve-harness.ts';

const MAIN = path.join(import.meta.dirname, '../../../simulators/main.ts');

export type Printed = { url: string; control: string; journal: string };
export type Simulated = Running & {
  /** The printed addresses, by the name of the provider. */
  printed: Readonly<Record<string, Printed>>;
  at(name: string): Printed;
};

export function createSimulators() {
  const home = createHome(MAIN);
  return {
    ...home,
    /** The working directory of the simulators. */
    dir: path.dirname(home.dataDir),
    async simulate(...args: string[]): Promise<Simulated> {
      const running = home.start(args);
      await waitUntil(() => /\n {2}\S.*\n$/.test(running.out()), running);
      const printed = readPrinted(running.out());
      const at = (name: string) => {
        const found = printed[name];
        assert.ok(found, `${name} was not started: ${running.out()}`);
        return found;
      };
      return { ...running, printed, at };
    },
  };
}

function readPrinted(out: string): Record<string, Printed> {
  const lines = out.matchAll(/^ {2}(\S+) +(\S+) +(\S+)\/_simulator +(\S+)$/gm);
  return Object.fromEntries(
    [...lines].map(([, name = '', url = '', control = '', journal = '']) => {
      return [name, { url, control, journal }];
    }),
  );
}

export type Callback = { path: string; headers: IncomingHttpHeaders; body: string };

/** A server in place of the service; answers 200 to everything and records the calls. */
export async function startListener() {
  const calls: Callback[] = [];
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString();
    calls.push({ path: request.url ?? '', headers: request.headers, body });
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    /** The bodies of the calls since the last time, parsed as JSON. */
    takeBodies: () => calls.splice(0).map(({ body }) => JSON.parse(body)),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Posts to the control API; a string is sent unchanged. */
export async function postControl(
  { control }: Printed,
  place: string,
  given: object | string = {},
) {
  const body = typeof given === 'string' ? given : JSON.stringify(given);
  const response = await fetch(`${control}/_simulator/${place}`, { method: 'POST', body });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

export async function readJournalLines({ control }: Printed) {
  const response = await fetch(`${control}/_simulator/journal`);
  const lines = (await response.text()).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line));
}

/** Sends a message by the simulator of SMSC.kz, which has the simplest protocol. */
export async function sendSms({ url }: Printed, phone: string, limitMs = 15_000) {
  const login = { login: 'zhiber', psw: 'simulated-smsc' };
  const form = { ...login, fmt: '3', charset: 'utf-8', phones: phone, mes: 'Код' };
  return await fetch(`${url}/sys/send.php`, {
    method: 'POST',
    body: new URLSearchParams(form),
    signal: AbortSignal.timeout(limitMs),
  });
}
