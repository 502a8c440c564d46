/**
 * A real server process whose settings point to simulated providers, with a company that has
 * money, and the invariants that must hold after each test file.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Channel } from '@zhiber/contract/api/channel.ts';
import { startAll } from '../../../simulators/all.ts';
import { SMSC } from '../../../simulators/credentials.ts';
import { startSmsc } from '../../../simulators/smsc.ts';
import { createCompany } from '../../src/company/create-company.ts';
import { PROVIDER_BLOCKS } from '../../src/config/provider-settings.ts';
import type { CompanyId, MessageId } from '../../src/ids.ts';
import { createKey, type KeySettings } from '../../src/keys/manage-keys.ts';
import { findTimeline } from '../../src/messages/timeline.ts';
import { topUp } from '../../src/topups/top-up.ts';
import { freePort } from '../free-port.ts';
import { passTime } from '../harness.ts';
import { type Canary, sweep } from '../hostile/canaries.ts';
import { newPhone } from '../outages/load-client.ts';
import { asOperator, audit } from '../outages/outage-server.ts';
import { type Answer, ask, createHome, createSql, type Settings } from '../start/serve-harness.ts';

const BALANCE = 1_000_000;
/** Long enough that a log does not contain a code by chance. */
const CODE_LENGTH = 8;
/** How much of its error output is printed when the server exits unexpectedly. */
const ERROR_OUTPUT_MAX = 4_000;
/** Generous, because the machine may be busy. */
const DEADLINE_MS = 90_000;

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

type ProviderStats = {
  name: string;
  circuit: 'closed' | 'open';
  in_flight: number;
  attempts: Record<'accepted' | 'refused' | 'unavailable' | 'unknown', number>;
};

export type Sent = Answer & { phone: string; id: string };
export type FaultService = Awaited<ReturnType<typeof openService>>;
/** All simulators, and one of a provider that a file describes. */
export type FaultSimulators = Awaited<ReturnType<typeof startSimulators>>;
type PickSettings = (settings: FaultSimulators['settings']) => Settings;

type SendOptions = { withKey?: string; headers?: Record<string, string> };

type Options = { fallbackSeconds?: number };
type Parts = { home: ReturnType<typeof createHome>; simulators: FaultSimulators };

export async function openService(pick: PickSettings, options: Options = {}) {
  const port = await freePort();
  const home = createHome();
  const parts = {
    home,
    simulators: await startSimulators(`http://localhost:${port}`, home.dataDir),
  };
  try {
    return await openWithSimulators(parts, { port, pick, options });
  } catch (error) {
    // A process left running would keep the test from ending.
    await close(parts);
    throw error;
  }
}

async function startSimulators(serviceUrl: string, dataDir: string) {
  // A test closes them, and no other test may take their ports then.
  const all = await startAll({ serviceUrl, choosePort: freePort });
  const callbackUrl = `${serviceUrl}/callbacks/smsc-by-file`;
  const described = await startSmsc({ ...SMSC, callbackUrl, port: await freePort() });
  return {
    ...all,
    described,
    settings: { ...all.settings, described: describeSmsc(dataDir, described.url) },
    async close() {
      await Promise.all([all.close(), described.close()]);
    },
  };
}

/** The settings of a service that is connected to SMSC by a file in place of its adapter. */
export function describeSmsc(dataDir: string, url: string): Record<string, string> {
  const file = `${dataDir}-smsc-by-file.json`;
  const text = readFileSync(path.join(import.meta.dirname, '../providers/rig/smsc-by-file.json'));
  writeFileSync(file, text.toString().replaceAll('https://smsc.kz', url));
  return {
    PROVIDER_FILES: file,
    PROVIDER_SECRET_SMSC_LOGIN: SMSC.login,
    PROVIDER_SECRET_SMSC_PASSWORD: SMSC.password,
    PROVIDER_SECRET_SMSC_CALLBACK: SMSC.callbackSecret,
  };
}

/** Starts all services. When one fails, closes those that have started. */
export async function openServices<const Picks extends readonly PickSettings[]>(picks: Picks) {
  const opened = await Promise.allSettled(picks.map((pick) => openService(pick)));
  const services = opened.flatMap((result) =>
    result.status === 'fulfilled' ? [result.value] : [],
  );
  const failed = opened.find((result) => result.status === 'rejected');
  if (failed === undefined) return services as { [Key in keyof Picks]: FaultService };
  await Promise.all(services.map((service) => service.close()));
  throw failed.reason;
}

async function close({ home, simulators }: Parts): Promise<void> {
  await simulators.close();
  await home.remove();
}

async function openWithSimulators(
  parts: Parts,
  { port, pick, options }: { port: number; pick: PickSettings; options: Options },
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
  let isStopExpected = false;
  const serve = async (changes: Settings = {}) => {
    const server = await home.serve({ ...settings, ...changes });
    logs.push(() => server.out() + server.err());
    void server.ended.then(({ code, err }) => {
      if (isStopExpected) return;
      console.log(
        `the server exited unexpectedly with ${code ?? server.child.signalCode}:\n${err.slice(-ERROR_OUTPUT_MAX)}`,
      );
    });
    return server;
  };
  let server = await serve();
  const createCompanies = (count: number) =>
    asOperator(home.dataDir, async (tools) => {
      const created: { companyId: CompanyId; key: string }[] = [];
      for (let i = 0; i < count; i++) {
        const { companyId } = await createCompany(tools, 'Проверка');
        await topUp(tools, { companyId, amount: BALANCE });
        const { key: text } = await createKey(tools.db, { ...keySettings(companyId), ...options });
        created.push({ companyId, key: text });
      }
      return created;
    });
  const key = (await createCompanies(1))[0] as { companyId: CompanyId; key: string };
  const sql = createSql(home.dataDir);
  const row = async (id: string): Promise<Row> => {
    const rows = await sql<Row>(`select ${COLUMNS} from message where id = $1`, [id]);
    assert.ok(rows[0], `message ${id} does not exist`);
    return rows[0];
  };

  const metrics = async () => await (await fetch(`http://localhost:${opsPort}/metrics`)).text();

  return {
    url: `http://localhost:${port}`,
    dataDir: home.dataDir,
    metrics,
    /** As the operator reads them at `/providers`. */
    async readProviderStats(name: string): Promise<ProviderStats> {
      const response = await fetch(`http://localhost:${opsPort}/providers`);
      const { providers } = (await response.json()) as { providers: ProviderStats[] };
      const stats = providers.find((provider) => provider.name === name);
      assert.ok(stats, `no statistics of ${name}`);
      return stats;
    },
    /** The resident memory of the server process. */
    async residentBytes(): Promise<number> {
      return Number(/^process_resident_memory_bytes (\S+)$/m.exec(await metrics())?.[1]);
    },
    /** The timeline of a message, as the cabinet shows it to the company. */
    timeline: (id: string) =>
      asOperator(home.dataDir, ({ db }) => findTimeline(db, key.companyId, id as MessageId)),
    companyId: key.companyId,
    settings,
    simulators,
    sql,
    row,
    rows: () => sql<Row>(`select ${COLUMNS} from message`),
    /** Asks for a code. Error answers contain the message id, too. */
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
    async waitForRow(id: string, isDone: (row: Row) => boolean): Promise<Row> {
      return await waitFor(
        () => row(id),
        isDone,
        (last) => JSON.stringify(last),
      );
    },
    /** Creates more companies, each with money and a key. */
    createCompanies,
    /** Creates another key of the same company, with other settings. */
    createSecondKey: (changes: Partial<KeySettings>) =>
      asOperator(home.dataDir, async ({ db }) => {
        const { key: text } = await createKey(db, { ...keySettings(key.companyId), ...changes });
        return text;
      }),
    /** Waits until the watch has checked everything that is due now. */
    async waitForWatch(): Promise<void> {
      const checkedUntil = () =>
        sql<{ at: Date }>('select checked_until as at, clock_timestamp() as now from watch');
      const [first] = await sql<{ now: Date }>('select clock_timestamp() as now');
      await waitFor(checkedUntil, ([row]) => (row?.at ?? 0) > (first?.now ?? 0));
    },
    passTime: (seconds: number) => passTime(sql, seconds),
    async kill(): Promise<void> {
      isStopExpected = true;
      await server.stop('SIGKILL');
      isStopExpected = false;
    },
    async start(changes: Settings = {}) {
      server = await serve(changes);
    },
    /** The ledger invariants hold, nothing is held, and no secret or code is in a log. */
    async assertInvariants(): Promise<void> {
      await audit(home);
      const canaries = [...secretCanaries(settings, key.key), ...codeCanaries(simulators)];
      const pieces = logs.map((read, i) => ({ where: `log ${i}`, bytes: Buffer.from(read()) }));
      assert.deepEqual(await sweep({ name: 'logs', read: () => pieces }, canaries), []);
    },
    async close(): Promise<void> {
      isStopExpected = true;
      await close(parts);
    },
  };
}

function keySettings(companyId: CompanyId): KeySettings {
  return { companyId, name: 'ключ', isTest: false, codeLength: CODE_LENGTH };
}

const COLUMNS =
  'id, recipient::text as recipient, state, receipt, channel, charged, hold, provider_id';

/** Reads until the value satisfies the condition; fails at the deadline. */
export async function waitFor<T>(
  read: () => T | Promise<T>,
  isDone: (value: T) => boolean,
  describe: (last: T) => string = () => 'timed out waiting for a condition',
): Promise<T> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    assert.ok(performance.now() < deadline, describe(value));
    await pause(20);
  }
}

function secretCanaries(settings: Settings, key: string): Canary[] {
  const names = PROVIDER_BLOCKS.flatMap((block) => block.settings)
    .filter(({ isSecret }) => isSecret)
    .map(({ name }) => name);
  // Not a login, which is a word that a log may contain.
  names.push(...Object.keys(settings).filter((name) => /^PROVIDER_SECRET_(?!.*LOGIN)/.test(name)));
  const texts = [key, ...names.flatMap((name) => settings[name] ?? [])];
  return texts.map((text) => ({ what: 'secret', text }));
}

/** Every code that a provider took. */
function codeCanaries({ settings: _, close: __, ...simulators }: FaultSimulators): Canary[] {
  const texts = Object.values(simulators).flatMap(({ journal }) =>
    journal.taken().flatMap(({ text }) => findCode(text) ?? []),
  );
  return texts.map((text) => ({ what: 'code', text }));
}

/** Finds the code in the text of a message. */
export function findCode(text: string): string | undefined {
  return new RegExp(`(?<!\\d)\\d{${CODE_LENGTH}}(?!\\d)`).exec(text)?.[0];
}
