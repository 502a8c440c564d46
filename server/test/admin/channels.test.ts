/** Channels and providers at the desk: what the nodes see, what became of messages, checks. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { ADMIN_CHANNELS_ENDPOINTS as C } from '@zhiber/contract/admin/channels.ts';
import { Registry } from 'prom-client';
import { withCircuitBreaker } from '../../src/channels/circuit-breaker.ts';
import type { Provider } from '../../src/channels/provider.ts';
import { createProviderMetrics } from '../../src/channels/provider-metrics.ts';
import type { Context } from '../../src/context.ts';
import { openSystemCompany } from '../../src/installation/system-company.ts';
import { withCircuit } from '../../src/payments/payment-circuit.ts';
import { createHeartbeat, startHeartbeat } from '../../src/status/heartbeat.ts';
import { checkProvider } from '../../src/status/read-channels.ts';
import { insertPastMessages } from '../cabinet/past-messages.ts';
import { openTestBank } from '../cabinet/test-bank.ts';
import { until, useService } from '../harness.ts';
import { openSmscRig } from '../providers/provider-rigs.ts';
import { NOBODYS_URL } from '../providers/rig/local-server.ts';
import { codeMessage, ignoreReports } from '../providers/rig/messages.ts';
import { openTo, startCentre } from '../providers/smpp-rig.ts';
import { createAdminClient } from './admin-client.ts';

const service = useService();
const { as, operator } = createAdminClient(service);

/** A node of its own with these providers, behind circuits as in the service. */
function openNode(providers: readonly Provider[], payments: Context['payments'] = []) {
  const metrics = createProviderMetrics(new Registry());
  const tools = { metrics, log: service.ctx.log };
  const all = providers.map((provider) => withCircuitBreaker(provider, tools));
  const ctx = { ...service.ctx, payments, providers: { all, read: metrics.read } };
  return { ctx, providers: all };
}

const named = (ctx: Context, id: string): Context => ({ ...ctx, nodes: { ...ctx.nodes, id } });

const providerNamed = async (who: { cookie: string }, name: string) =>
  (await as(who).call(C.channels)).ok().providers.find((one) => one.name === name);

describe('the providers', () => {
  test('are shown as every node sees them, with their answers added up', async (t) => {
    const who = await operator();
    const rig = await openSmscRig(t);
    const first = openNode([rig.provider]);
    const down = await openSmscRig(t, { settings: { url: NOBODYS_URL } });
    const second = openNode([down.provider]);
    const beats = [
      createHeartbeat(named(first.ctx, 'a 1')),
      createHeartbeat(named(second.ctx, 'b 2')),
    ] as const;
    const send = async ({ providers }: typeof first, count: number) => {
      for (let i = 0; i < count; i++) {
        await providers[0]?.send(codeMessage(), AbortSignal.timeout(5_000));
      }
    };
    assert.deepEqual(await providerNamed(who, 'smsc'), {
      name: 'smsc',
      kind: 'messages',
      channel: 'sms',
      is_configured: false,
      nodes: [],
      last_hour: { accepted: 0, refused: 0, unavailable: 0, unknown: 0, skipped: 0 },
      last_day: { accepted: 0, refused: 0, unavailable: 0, unknown: 0, skipped: 0 },
    });

    rig.simulator.plans.add({ does: 'refuse' });
    await send(first, 2);
    await beats[0]();
    // What was written is not written again.
    await beats[0]();
    await send(second, 7);
    await beats[1]();
    const seen = await providerNamed(who, 'smsc');
    assert.equal(seen?.is_configured, true);
    assert.deepEqual(
      seen?.nodes.map(({ node, circuit, is_up }) => [node, circuit, is_up]),
      [
        ['a 1', 'closed', null],
        ['b 2', 'open', null],
      ],
    );
    // Five failures open the circuit; of the two sends after them none reaches the provider.
    assert.deepEqual(seen?.last_hour, {
      accepted: 0,
      refused: 2,
      unavailable: 5,
      unknown: 0,
      skipped: 2,
    });
    await service.sql(`update provider_minute set minute = minute - interval '2 hours'`);
    const later = await providerNamed(who, 'smsc');
    assert.deepEqual([later?.last_hour?.refused, later?.last_day?.refused], [0, 2]);
  });

  test('of a node that is gone or has stopped are not shown', async () => {
    const who = await operator();
    const { ctx } = openNode(
      [],
      [
        withCircuit(
          openTestBank(() => service.ctx),
          service.ctx.log,
        ),
      ],
    );
    const nodes = async () => (await as(who).call(C.channels)).ok().nodes.map(({ name }) => name);
    const heartbeat = await startHeartbeat(ctx);
    const name = (await nodes()).find((one) => one.includes(` ${process.pid} `));
    assert(name !== undefined);
    assert.deepEqual((await providerNamed(who, 'freedom-pay'))?.nodes, [
      {
        node: name,
        circuit: 'closed',
        in_flight: 0,
        is_up: null,
        detail: null,
        answer_ms_p99: null,
      },
    ]);
    await heartbeat.stop();
    assert(!(await nodes()).includes(name));

    await createHeartbeat(named(ctx, 'silent 1'))();
    assert((await nodes()).includes('silent 1'));
    await service.sql(
      `update node_state set seen_at = seen_at - interval '61 seconds' where node = 'silent 1'`,
    );
    assert(!(await nodes()).includes('silent 1'));
    assert.deepEqual((await providerNamed(who, 'freedom-pay'))?.nodes, []);
  });

  test('of payments that fail have an open circuit', async () => {
    const who = await operator();
    const bank = openTestBank(() => service.ctx);
    bank.answer = async () => ({ result: 'unavailable', reason: 'Банк не отвечает' });
    const payment = withCircuit(bank, service.ctx.log);
    const order = { reference: 'ZHB-TEST1', amount: 1_000, description: 'Проба' };
    for (let i = 0; i < 5; i++) {
      await payment.create({ ...order, language: 'ru' }, AbortSignal.timeout(1_000));
    }
    await createHeartbeat(named(openNode([], [payment]).ctx, 'c 3'))();
    const seen = await providerNamed(who, 'freedom-pay');
    assert.deepEqual([seen?.kind, seen?.channel, seen?.last_hour], ['payments', null, null]);
    assert.deepEqual(
      seen?.nodes.map(({ node, circuit }) => [node, circuit]),
      [['c 3', 'open']],
    );
  });

  test('with a permanent connection tell whether it is bound', async (t) => {
    const who = await operator();
    const centre = await startCentre(t);
    const { ctx, providers } = openNode([openTo(centre.port)]);
    const beat = createHeartbeat(named(ctx, 'd 4'));
    const readState = async () => {
      await beat();
      const { is_up, detail } = (await providerNamed(who, 'smpp'))?.nodes[0] ?? {};
      return [is_up, detail];
    };
    const place = `127.0.0.1:${centre.port}`;
    assert.deepEqual(await readState(), [false, 'Not started.']);
    providers[0]?.start?.(ignoreReports);
    t.after(() => providers[0]?.stop?.());
    await until('the link is bound', async () => (await readState())[0] === true);
    assert.deepEqual(await readState(), [true, `Bound at ${place}.`]);
    await centre.close();
    await until('the link is lost', async () => (await readState())[0] === false);
    assert.match(String((await readState())[1]), new RegExp(`^Not bound at ${place}: `));
  });
});

describe('a check of a provider', () => {
  const check = (who: { cookie: string }, provider: string) =>
    as(who).call(C.checkProvider, { params: { provider } });

  test('says whether it works, and the balance there', async (t) => {
    const who = await operator();
    const rig = await openSmscRig(t, { simulator: { balance: '1520.40' } });
    const before = service.ctx.providers;
    after(() => Object.assign(service.ctx, { providers: before }));
    Object.assign(service.ctx, { providers: openNode([rig.provider]).ctx.providers });
    const works = (await check(who, 'smsc')).ok();
    assert.equal(works.result, 'ok');
    assert.match(works.balance ?? '', /^1520\.40/);
    assert.equal(rig.simulator.journal.taken().length, 0, 'nothing is sent');
    const wrong = await openSmscRig(t, { settings: { password: 'wrong' } });
    Object.assign(service.ctx, { providers: openNode([wrong.provider]).ctx.providers });
    const failed = (await check(who, 'smsc')).ok();
    assert.deepEqual([failed.result, failed.balance], ['failed', null]);
    assert.doesNotMatch(JSON.stringify(failed), /wrong"|psw|password=/);
    Object.assign(service.ctx, { providers: before });
    assert.equal((await check(who, 'smsc')).ok().result, 'not_configured');
  });

  test('ends when the provider never answers', async (t) => {
    const rig = await openSmscRig(t);
    const silent: Provider = { ...rig.provider, check: () => new Promise(() => undefined) };
    const { ctx } = openNode([silent]);
    assert.deepEqual(await checkProvider(ctx, 'smsc', 10), {
      result: 'timeout',
      detail: null,
      balance: null,
    });
  });

  test('of something else is not found', async () => {
    const who = await operator();
    for (const name of ['nobody', 'kaspi', '__proto__', '..%2f']) {
      (await check(who, name)).refused('not_found');
    }
  });
});

describe('what became of messages', () => {
  test('is measured by channel over the newest live messages of customers', async () => {
    const who = await operator();
    const { companyId, keyId } = await service.key();
    const add = (count: number, fromHours: number, columns: object) => {
      const toHours = fromHours - 0.1;
      const past = { companyId, keyId, count, fromHours, toHours, columns };
      return insertPastMessages(service.sql, past);
    };
    // Confirmed after 1, 2 … 20 seconds: the 19th of 20 is the 95th percentile.
    await add(20, 0.5, { confirm_seconds: 'n' });
    await service.sql(
      `update message set state = 'failed', receipt = null, delivered_at = null, reason = 'Абонент недоступен'
       where company_id = $1 and delivered_at - created_at <= interval '2 seconds'`,
      [companyId],
    );
    await service.sql(
      `update message set state = 'failed', receipt = null, delivered_at = null, reason = 'Нет денег'
       where company_id = $1 and delivered_at - created_at <= interval '3 seconds'`,
      [companyId],
    );
    await add(5, 3, { channel: `'whatsapp'`, receipt: 'null' });
    await add(4, 0.4, { is_test: 'true', channel: `'telegram'` });
    const system = await openSystemCompany(service.ctx);
    await insertPastMessages(service.sql, {
      companyId: system,
      keyId,
      count: 3,
      fromHours: 0.3,
      columns: { channel: `'telegram'` },
    });
    const read = async (range: '1h' | '24h') => {
      const { channels } = (await as(who).call(C.channelQuality, { query: { range } })).ok();
      return Object.fromEntries(channels.map(({ channel, ...rest }) => [channel, rest]));
    };
    const none = { messages: 0, confirmed: 0, failed: 0, confirm_ms_p95: null, reasons: [] };
    assert.deepEqual(await read('1h'), {
      whatsapp: none,
      telegram: none,
      sms: {
        messages: 20,
        confirmed: 17,
        failed: 3,
        // Of the seventeen from 4 to 20 seconds.
        confirm_ms_p95: 20_000,
        reasons: [
          { reason: 'Абонент недоступен', count: 2 },
          { reason: 'Нет денег', count: 1 },
        ],
      },
    });
    assert.deepEqual((await read('24h')).whatsapp, { ...none, messages: 5 });
    const bad = await as(who).call(C.channelQuality, { query: { range: '1y' as never } });
    bad.refused('validation_error');
  });

  test('counts every attempt of a message that fell back', async () => {
    const who = await operator();
    const { companyId, keyId } = await service.key();
    const columns = { attempt: '2', channel: `'sms'` };
    const past = { companyId, keyId, count: 1, fromHours: 0.1, columns };
    await insertPastMessages(service.sql, past);
    await service.sql(
      `insert into attempt (company_id, message_id, number, channel, state, reason, receipt, price, started_at, delivered_at)
       select company_id, id, n, (array['telegram', 'sms'])[n]::channel, (array['refused', 'accepted'])[n]::attempt_state,
         (array['Нет чата', null])[n], (array[null, 'delivered'])[n]::receipt, 0, created_at,
         case n when 2 then created_at + interval '9 seconds' end
       from message, generate_series(1, 2) n where company_id = $1`,
      [companyId],
    );
    const query = { range: '1h' as const };
    const { channels } = (await as(who).call(C.channelQuality, { query })).ok();
    const telegram = channels.find(({ channel }) => channel === 'telegram');
    assert.deepEqual(telegram, {
      channel: 'telegram',
      messages: 1,
      confirmed: 0,
      failed: 1,
      confirm_ms_p95: null,
      reasons: [{ reason: 'Нет чата', count: 1 }],
    });
    assert.equal(channels.find(({ channel }) => channel === 'sms')?.messages, 21);
  });
});
