import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import type { ErrorCode } from '@zhiber/contract/api/errors.ts';
import type { FastifyInstance, InjectOptions } from 'fastify';
import pg from 'pg';
import pino from 'pino';
import { topUp } from '../src/billing/top-up.ts';
import type { ChannelAdapter } from '../src/channels/channel.ts';
import { openChannels } from '../src/channels/open-channels.ts';
import { systemClock } from '../src/clock.ts';
import { createCompany } from '../src/company/create-company.ts';
import { type Config, readConfig } from '../src/config.ts';
import type { Context } from '../src/context.ts';
import { type Connection, openDatabase } from '../src/db/database.ts';
import { recordReceipt } from '../src/delivery/record-receipt.ts';
import { createHttpServer } from '../src/http/server.ts';
import { type CompanyId, type KeyId, newId } from '../src/ids.ts';
import { createKey, type KeySettings } from '../src/keys/create-key.ts';
import { createSandbox, type Sandbox } from '../src/sandbox/sandbox.ts';
import { deriveSecrets } from '../src/secrets.ts';
import { checkAnswer } from './check-answer.ts';
import { TEMPLATE } from './database-server.ts';

export type Answered = {
  status: number;
  // The tests read what the contract promises; the shape itself is checked against the description.
  body: Record<string, unknown> & { error_code?: ErrorCode };
  headers: Record<string, string | string[] | number | undefined>;
};

export type TestKey = { keyId: KeyId; key: string; companyId: CompanyId };

type Service = { ctx: Context; http: FastifyInstance; sandbox: Sandbox; database: string };

/**
 * The service on a fresh clone of the migrated template, one for each test file. Answers are checked against the
 * published description, and after each test no hold may be left open.
 */
export function useService(
  options: {
    env?: Record<string, string>;
    providers?: Parameters<typeof openChannels>[1];
  } = {},
) {
  let service: Service | undefined;
  let phones = 0;

  before(async () => {
    service = await openService(options);
  });
  afterEach(async (t) => {
    if (!(t as { passed?: boolean }).passed) return;
    await assertSoundMoney();
  });
  after(async () => {
    if (service === undefined) return;
    await service.http.close();
    service.sandbox.stop();
    await service.ctx.db.close();
    await administer((client) => client.query(`drop database if exists ${service?.database} with (force)`));
  });

  const running = (): Service => {
    assert(service !== undefined, 'the service has not been opened');
    return service;
  };

  /** Runs SQL as an operator would, to look or to prepare. */
  const sql = <Row = Record<string, unknown>>(text: string, values: unknown[] = []) =>
    running().ctx.db.query<Row>(text, values);

  const company = async (balance = 50): Promise<CompanyId> => {
    const { companyId } = await createCompany(running().ctx, 'Тест');
    if (balance > 50) {
      // The first top-up brings its bonus along; the rest is a correction, so that the ledger stays whole.
      await topUp(running().ctx, { companyId, amount: 1_000 });
      await correct(companyId, balance - 2_050);
    } else if (balance < 50) await correct(companyId, balance - 50);
    return companyId;
  };
  const correct = async (companyId: CompanyId, amount: number) => {
    if (amount === 0) return;
    await sql('select post_entry($1, $2, $3, $4)', [
      companyId,
      'correction',
      amount,
      newId(Date.now()),
    ]);
  };

  const key = async (
    settings: Partial<KeySettings> & { balance?: number } = {},
  ): Promise<TestKey> => {
    const { balance, ...rest } = settings;
    const companyId = settings.companyId ?? (await company(balance));
    const made = await createKey(running().ctx.db, {
      name: 'ключ',
      isTest: false,
      ...rest,
      companyId,
    });
    return { ...made, companyId };
  };

  /** Calls an endpoint of the contract, and checks the answer against the description. */
  const call = async (
    path: string,
    body: unknown,
    request: { key?: string; headers?: Record<string, string>; method?: string } = {},
  ): Promise<Answered> => {
    const method = (request.method ?? 'POST') as NonNullable<InjectOptions['method']>;
    const response = await running().http.inject({
      method,
      url: `/api${path}`,
      headers: {
        ...(request.key === undefined ? {} : { authorization: `Bearer ${request.key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(body === undefined
        ? {}
        : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const answered: Answered = {
      status: response.statusCode,
      body: response.payload === '' ? {} : response.json(),
      headers: response.headers,
    };
    checkAnswer({ path, method, ...answered });
    return answered;
  };

  /** A phone nobody has used in this file. */
  const phone = (): string => {
    phones += 1;
    return `+7701${String(phones).padStart(7, '0')}`;
  };

  /** The code a person would read on the phone: of the newest message there. */
  const codeOn = (testKey: TestKey, number: string): string => {
    const message = running()
      .sandbox.phone.messages({ keyId: testKey.keyId, phone: number })
      .at(-1);
    assert(message?.code, `no code has arrived at ${number}`);
    return message.code;
  };

  /** Lets time pass for everything the database remembers: all its times move into the past. */
  const passTime = async (seconds: number): Promise<void> => {
    const by = `make_interval(secs => ${seconds})`;
    const older = (column: string) =>
      `${column} = array(select t - ${by} from unnest(${column}) as t)`;
    await sql(`update gate set ${older('recent')}`);
    await sql(`update code set expires_at = expires_at - ${by}, ${older('failed_at')}`);
    await sql(`update message set created_at = created_at - ${by}, settled_at = settled_at - ${by},
      look_at = look_at - ${by}`);
    await sql(`update attempt set started_at = started_at - ${by}, settled_at = settled_at - ${by}`);
    await sql(`update watch set looked_until = looked_until - ${by}`);
    await sql(`update idempotency set created_at = created_at - ${by}`);
    await sql(`update link set created_at = created_at - ${by}, expires_at = expires_at - ${by}`);
    await sql(`update api_key set previous_until = previous_until - ${by}`);
  };

  const balance = async (companyId: CompanyId): Promise<{ balance: number; held: number }> => {
    const rows = await sql<{ balance: number; held: number }>(
      'select balance, held from account where company_id = $1',
      [companyId],
    );
    return rows[0] as { balance: number; held: number };
  };

  /** The invariants of money; at rest nothing may be held. */
  const assertSoundMoney = async (): Promise<void> => {
    const wrong = await sql(`
      select a.company_id, a.balance, a.held, e.entries, m.charged, e.charges, m.holds
      from account a
      left join lateral (select coalesce(sum(amount), 0) as entries,
        coalesce(-sum(amount) filter (where kind in ('charge', 'charge_moved')), 0) as charges
        from entry where entry.company_id = a.company_id) e on true
      left join lateral (select coalesce(sum(charged), 0) as charged, coalesce(sum(hold), 0) as holds
        from message where message.company_id = a.company_id) m on true
      where a.balance <> e.entries or m.charged <> e.charges or a.held <> m.holds or a.held <> 0`);
    assert.deepEqual(wrong, [], 'money does not add up');
  };

  return {
    get ctx() {
      return running().ctx;
    },
    get http() {
      return running().http;
    },
    get sandbox() {
      return running().sandbox;
    },
    sql,
    company,
    key,
    call,
    phone,
    codeOn,
    passTime,
    balance,
    assertSoundMoney,
  };
}

async function openService(options: {
  env?: Record<string, string>;
  providers?: Partial<Record<'whatsapp' | 'telegram' | 'sms', ChannelAdapter>>;
}): Promise<Service> {
  const database = `zhiber_${process.pid}_${Date.now().toString(36)}`;
  await administer((client) => client.query(`create database ${database} template ${TEMPLATE}`));
  const config: Config = readConfig({ ...options.env });
  // Bugs are shown; what tests bring about on purpose is not.
  const log = pino({ level: 'error' }, pino.destination(2));
  const db = openDatabase({ ...testServer(), database } as Connection, log);
  const sandbox = createSandbox(systemClock);
  const ctx: Context = {
    config,
    db,
    channels: openChannels(sandbox.adapters, options.providers ?? {}),
    secrets: deriveSecrets('a secret for tests alone, long enough'),
    clock: systemClock,
    log,
    urls: { publicUrl: 'http://localhost:3000', shortLinkBase: 'http://localhost:3000/s' },
  };
  sandbox.onReceipt((report) => recordReceipt(ctx, report));
  const http = createHttpServer(ctx, sandbox);
  await http.ready();
  return { ctx, http, sandbox, database };
}

function testServer(): pg.ClientConfig {
  const connection = process.env.ZHIBER_TEST_DATABASE;
  assert(connection, 'run this through npm test, or with --test-global-setup=server/test/database-server.ts');
  return JSON.parse(connection);
}

async function administer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(testServer());
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Runs many at once and gathers their answers: all are started before any is awaited. */
export async function together<T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> {
  return await Promise.all(Array.from({ length: count }, (_, index) => run(index)));
}
