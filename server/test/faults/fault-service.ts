/**
 * A real server process that is connected by its settings to simulated providers, with a company
 * that has money; and what has to be true of both sides when everything is over.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Channel } from '@zhiber/contract/api/channel.ts';
import type pg from 'pg';
import { type Simulators, startAll } from '../../../simulators/all.ts';
import { topUp } from '../../src/billing/top-up.ts';
import { createCompany } from '../../src/company/create-company.ts';
import { PROVIDER_BLOCKS, type ProviderName } from '../../src/config/provider-settings.ts';
import { readTimeline } from '../../src/history/timeline.ts';
import type { CompanyId, MessageId } from '../../src/ids.ts';
import { createKey, type KeySettings } from '../../src/keys/create-key.ts';
import { passTime } from '../harness.ts';
import { type Canary, sweep } from '../hostile/canaries.ts';
import { newPhone } from '../outages/load.ts';
import { asOperator, audit } from '../outages/outage-server.ts';
import { type Answer, ask, connectTo, createHome, type Settings } from '../start/serve-harness.ts';

/** Below those that the system gives to anybody who asks for one. */
const FIRST_PORT = 20_000;
const PORTS_PER_PROCESS = 16;
const PROCESSES = 750;
const BALANCE = 1_000_000;
/** So long that a code is found nowhere by chance. */
const CODE_LENGTH = 8;
/** Of a server that nobody has ended. */
const LAST_WORDS_MAX = 4_000;
/** A guard against waiting for ever, on a busy machine too. */
const UNTIL_MS = 90_000;

export type Row = {
  id: string;
  recipient: string;
  state: 'sending' | 'sent' | 'failed' | 'unknown';
  receipt: string | null;
  channel: Channel;
  charged: number;
  hold: number;
  provider_id: string | null;
};

type ShownFigures = {
  name: string;
  circuit: 'closed' | 'open';
  in_flight: number;
  attempts: Record<'accepted' | 'refused' | 'unavailable' | 'unknown', number>;
};

export type Sent = Answer & { phone: string; id: string };
export type FaultService = Awaited<ReturnType<typeof openService>>;
type Pick = (settings: Simulators['settings']) => Settings;

type SendOptions = { withKey?: string; headers?: Record<string, string> };

type Options = { fallbackSeconds?: number };
type Parts = { home: ReturnType<typeof createHome>; simulators: Simulators };

export async function openService(pick: Pick, options: Options = {}) {
  const port = await freePort();
  const simulators = await startAll({ serviceUrl: `http://localhost:${port}` });
  const parts = { home: createHome(), simulators };
  try {
    return await serveWith(parts, { port, pick, options });
  } catch (error) {
    // A process that is left behind would keep the test from ever ending.
    await close(parts);
    throw error;
  }
}

/** All of them, or none that is left behind. */
export async function openServices<const Picks extends readonly Pick[]>(picks: Picks) {
  const opened = await Promise.allSettled(picks.map((pick) => openService(pick)));
  const services = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = opened.find((one) => one.status === 'rejected');
  if (failed === undefined) return services as { [Key in keyof Picks]: FaultService };
  await Promise.all(services.map((service) => service.close()));
  throw failed.reason;
}

async function close({ home, simulators }: Parts): Promise<void> {
  await simulators.close();
  await home.remove();
}

async function serveWith(
  parts: Parts,
  { port, pick, options }: { port: number; pick: Pick; options: Options },
) {
  const { home, simulators } = parts;
  const opsPort = await freePort();
  const settings: Settings = {
    PORT: String(port),
    OPS_PORT: String(opsPort),
    LOG_LEVEL: 'trace',
    ...pick(simulators.settings),
  };
  const logs: (() => string)[] = [];
  let isKilling = false;
  const serve = async (changes: Settings = {}) => {
    const server = await home.serve({ ...settings, ...changes });
    logs.push(() => server.out() + server.err());
    void server.ended.then(({ code, err }) => {
      if (isKilling) return;
      console.log(
        `the server ended by itself with ${code ?? server.child.signalCode}:\n${err.slice(-LAST_WORDS_MAX)}`,
      );
    });
    return server;
  };
  let server = await serve();
  const createCompanies = (count: number) =>
    asOperator(home.dataDir, async (tools) => {
      const made: { companyId: CompanyId; key: string }[] = [];
      for (let i = 0; i < count; i++) {
        const { companyId } = await createCompany(tools, 'Проверка');
        await topUp(tools, { companyId, amount: BALANCE });
        const { key: text } = await createKey(tools.db, { ...keySettings(companyId), ...options });
        made.push({ companyId, key: text });
      }
      return made;
    });
  const key = (await createCompanies(1))[0] as { companyId: CompanyId; key: string };
  const sql = sqlOf(home.dataDir);
  const row = async (id: string): Promise<Row> => {
    const rows = await sql<Row>(`select ${COLUMNS} from message where id = $1`, [id]);
    assert.ok(rows[0], `there is no message ${id}`);
    return rows[0];
  };

  const metrics = async () => await (await fetch(`http://localhost:${opsPort}/metrics`)).text();

  return {
    url: `http://localhost:${port}`,
    dataDir: home.dataDir,
    metrics,
    /** As the operator reads it at `/providers`. */
    async figuresOf(name: ProviderName): Promise<ShownFigures> {
      const response = await fetch(`http://localhost:${opsPort}/providers`);
      const { providers } = (await response.json()) as { providers: ShownFigures[] };
      const found = providers.find((one) => one.name === name);
      assert.ok(found, `there are no figures of ${name}`);
      return found;
    },
    /** The memory of the server process. */
    async residentBytes(): Promise<number> {
      return Number(/^process_resident_memory_bytes (\S+)$/m.exec(await metrics())?.[1]);
    },
    /** The story of a message, as the company is shown it. */
    timeline: (id: string) =>
      asOperator(home.dataDir, ({ db }) => readTimeline(db, key.companyId, id as MessageId)),
    companyId: key.companyId,
    settings,
    simulators,
    sql,
    row,
    rows: () => sql<Row>(`select ${COLUMNS} from message`),
    /** Asks for a code; the id is there whatever the answer was. */
    async send(
      channel: Channel | 'auto',
      phone = newPhone(),
      { withKey = key.key, headers = {} }: SendOptions = {},
    ): Promise<Sent> {
      const question = { path: '/otp/send', key: withKey, body: { phone, channel }, headers };
      const answer = await ask(port, question);
      return { ...answer, phone, id: String(answer.body.message_id) };
    },
    verify: (phone: string, code: string) =>
      ask(port, { path: '/otp/verify', key: key.key, body: { phone, code } }),
    async untilRow(id: string, isSo: (row: Row) => boolean): Promise<Row> {
      return await until(
        () => row(id),
        isSo,
        (last) => JSON.stringify(last),
      );
    },
    /** Other companies with money, and a key of each. */
    createCompanies,
    /** A key of the same company with other settings. */
    anotherKey: (changes: Partial<KeySettings>) =>
      asOperator(home.dataDir, async ({ db }) => {
        const { key: text } = await createKey(db, { ...keySettings(key.companyId), ...changes });
        return text;
      }),
    /** The watch has looked at everything that was due by now. */
    async untilWatched(): Promise<void> {
      const looked = () =>
        sql<{ at: Date }>('select looked_until as at, clock_timestamp() as now from watch');
      const [first] = await sql<{ now: Date }>('select clock_timestamp() as now');
      await until(looked, ([row]) => (row?.at ?? 0) > (first?.now ?? 0));
    },
    passTime: (seconds: number) => passTime(sql as never, seconds),
    async kill(): Promise<void> {
      isKilling = true;
      await server.stop('SIGKILL');
      isKilling = false;
    },
    async start(changes: Settings = {}) {
      server = await serve(changes);
    },
    /** Nothing is held or wrong in the database, and no secret or code is in a log. */
    async check(): Promise<void> {
      await audit(home);
      const canaries = [...secretsIn(settings, key.key), ...codesOf(simulators)];
      const pieces = logs.map((read, i) => ({ where: `log ${i}`, bytes: Buffer.from(read()) }));
      assert.deepEqual(await sweep({ name: 'logs', read: () => pieces }, canaries), []);
    },
    async close(): Promise<void> {
      isKilling = true;
      await close(parts);
    },
  };
}

function keySettings(companyId: CompanyId): KeySettings {
  return { companyId, name: 'ключ', isTest: false, codeLength: CODE_LENGTH };
}

const COLUMNS =
  'id, recipient::text as recipient, state, receipt, channel, charged, hold, provider_id';

/** Waits for what another part brings about on its own. */
export async function until<T>(
  read: () => T | Promise<T>,
  isSo: (value: T) => boolean,
  tell: (last: T) => string = () => 'it is not so in time',
): Promise<T> {
  const deadline = performance.now() + UNTIL_MS;
  for (;;) {
    const value = await read();
    if (isSo(value)) return value;
    assert.ok(performance.now() < deadline, tell(value));
    await pause(20);
  }
}

/** Runs SQL as an operator would, on a session of its own: the server may come and go. */
function sqlOf(dataDir: string) {
  return async <Found extends pg.QueryResultRow>(text: string, values: unknown[] = []) => {
    const client = await connectTo(dataDir);
    try {
      return (await client.query<Found>(text, values.length === 0 ? undefined : values)).rows;
    } finally {
      await client.end();
    }
  };
}

function secretsIn(settings: Settings, key: string): Canary[] {
  const names = PROVIDER_BLOCKS.flatMap((block) => block.settings)
    .filter(({ isSecret }) => isSecret)
    .map(({ name }) => name);
  const texts = [key, ...names.flatMap((name) => settings[name] ?? [])];
  return texts.map((text) => ({ what: 'secret', text }));
}

/** Every code that went to a phone. */
function codesOf({ settings: _, close: __, ...simulators }: Simulators): Canary[] {
  const texts = Object.values(simulators).flatMap(({ journal }) =>
    journal.taken().flatMap(({ text }) => codeIn(text) ?? []),
  );
  return texts.map((text) => ({ what: 'code', text }));
}

/** The code in a text as a person reads it. */
export function codeIn(text: string): string | undefined {
  return new RegExp(`(?<!\\d)\\d{${CODE_LENGTH}}(?!\\d)`).exec(text)?.[0];
}

let portsTried = 0;

/** One of those that this process has to itself: files that run side by side must not meet. */
async function freePort(): Promise<number> {
  for (;;) {
    const own = (process.pid % PROCESSES) * PORTS_PER_PROCESS;
    const port = FIRST_PORT + own + (portsTried++ % PORTS_PER_PROCESS);
    const server = createServer();
    const isFree = new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, () => resolve(true));
    });
    if (!(await isFree)) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
