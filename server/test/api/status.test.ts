/** The status page on a running service: what is counted, added up and shown. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { COMPONENTS, type Component } from '@zhiber/contract/admin/incidents.ts';
import type { MeasureSource } from '@zhiber/contract/pages/status.ts';
import { almatyDay, almatyTime } from '../../src/almaty.ts';
import { probeNode } from '../../src/jobs/keep-status.ts';
import { measureStatus } from '../../src/jobs/measure-status.ts';
import { createMinuteCounts } from '../../src/runtime/minute-counts.ts';
import { addUpDays } from '../../src/status/add-up-days.ts';
import { createIncident, publishIncident, updateIncident } from '../../src/status/incidents.ts';
import { saveNode } from '../../src/status/node-store.ts';
import { refreshSnapshot } from '../../src/status/refresh-snapshot.ts';
import { saveMeasured } from '../../src/status/save-measured.ts';
import { statusFolder, writeWhole } from '../../src/status/status-files.ts';
import { useService } from '../harness.ts';

const service = useService();
const never = new AbortController().signal;
const MINUTE = 60_000;

beforeEach(async () => {
  await service.ctx.traffic.save(async () => undefined);
  await service.sql('truncate status_minute, status_day, incident cascade');
});
afterEach(() => {
  service.ctx.statusPage.snapshot = undefined;
});

const get = (url: string, headers: Record<string, string> = {}) =>
  service.http.inject({ url, headers });
const stateOf = (name: Component) =>
  service.ctx.statusPage.snapshot?.components.find((component) => component.name === name);
const minutes = () =>
  service.sql<{ component: string; source: string; good: number; bad: number }>(
    `select component, source, sum(good)::integer as good, sum(bad)::integer as bad from status_minute
     group by component, source order by component, source`,
  );
const save = () => saveMeasured(service.ctx)();

/** Rows of so many minutes, the last of them being the one under way. */
async function plant(rows: {
  component: Component;
  source?: string;
  minutes: number;
  good?: number;
  bad?: number;
}) {
  const { component, source = 'probe', good = 0, bad = 0 } = rows;
  await service.sql(
    `insert into status_minute select date_trunc('minute', clock_timestamp()) - make_interval(mins => n), $1, $2, $3, $4
     from generate_series(0, $5 - 1) n`,
    [component, source, good, bad, rows.minutes],
  );
}

describe('what is counted', () => {
  test('calls of customers, messages of live keys, and nothing of a stranger', async () => {
    const live = await service.key({ balance: 100 });
    const testKey = await service.key({ isTest: true });
    const send = (key: string, phone: string) =>
      service.call('/otp/send', { phone, channel: 'sms' }, { key });
    assert.equal((await send(live.key, service.phone())).status, 200);
    assert.equal((await send(live.key, 'junk')).status, 422);
    // Every channel fails for this number, by choice of whoever tests.
    assert.equal((await send(testKey.key, '+77000000004')).status, 502);
    assert.equal((await send('zk_live_stranger', service.phone())).status, 401);
    await get('/api/health');
    await save();
    assert.deepEqual(await minutes(), [
      { component: 'api', source: 'traffic', good: 3, bad: 0 },
      { component: 'sms', source: 'traffic', good: 1, bad: 0 },
    ]);
  });

  test('redirects, but no previews and no names that nobody has', async () => {
    const { key } = await service.key();
    const { body } = await service.call('/links/shorten', { url: 'https://example.kz/' }, { key });
    const { pathname } = new URL(String(body.short_url));
    await service.ctx.traffic.save(async () => undefined);
    assert.equal((await get(pathname)).statusCode, 302);
    await service.http.inject({ method: 'HEAD', url: pathname });
    assert.equal((await get('/s/nothing7')).statusCode, 404);
    assert.equal((await get('/cabinet/session')).statusCode < 500, true);
    await save();
    assert.deepEqual(await minutes(), [
      { component: 'cabinet', source: 'traffic', good: 1, bad: 0 },
      { component: 'links', source: 'traffic', good: 1, bad: 0 },
    ]);
  });

  test('probes over a real connection, and their failure when nobody listens', async (t) => {
    const { http, ctx } = service;
    await http.listen({ port: 0, host: 'localhost' });
    const { port } = http.server.address() as { port: number };
    await probeNode(ctx, port);
    await save();
    assert.deepEqual(await minutes(), [
      { component: 'api', source: 'probe', good: 1, bad: 0 },
      { component: 'cabinet', source: 'probe', good: 1, bad: 0 },
      { component: 'links', source: 'probe', good: 1, bad: 0 },
    ]);
    t.mock.method(ctx.db, 'isUp', async () => false);
    await probeNode(ctx, port);
    // Nothing listens on the first port.
    await probeNode(ctx, 1);
    await save();
    assert.deepEqual(await minutes(), [
      { component: 'api', source: 'probe', good: 1, bad: 2 },
      { component: 'cabinet', source: 'probe', good: 1, bad: 2 },
      { component: 'links', source: 'probe', good: 2, bad: 1 },
    ]);
  });

  test('a name that nobody can have is answered however often our probe asks', async () => {
    for (let tries = 0; tries < 35; tries += 1) {
      assert.equal((await get('/s/status')).statusCode, 404);
    }
  });

  test('the checks of providers, good while one of a channel works, and repeated when none does', async () => {
    const provider = (channel: string, ...answers: boolean[]) => ({
      name: channel,
      channel,
      check: async () => ({ ok: answers.shift() ?? false, detail: '' }),
    });
    const { ctx } = service;
    const all = [
      provider('whatsapp', false),
      provider('whatsapp', true),
      provider('sms', false, true),
      provider('telegram', false, false),
    ];
    const withProviders = { ...ctx, providers: { ...ctx.providers, all } } as never;
    await measureStatus(withProviders, never, 1);
    await save();
    assert.deepEqual(await minutes(), [
      { component: 'sms', source: 'probe', good: 1, bad: 1 },
      { component: 'telegram', source: 'probe', good: 0, bad: 2 },
      { component: 'whatsapp', source: 'probe', good: 1, bad: 0 },
    ]);
  });

  test('a provider that every node has cut off does not work, whatever its check says', async () => {
    const { ctx } = service;
    const all = [{ name: 'smsc', channel: 'sms', check: async () => ({ ok: true, detail: '' }) }];
    const withProviders = { ...ctx, providers: { ...ctx.providers, all } } as never;
    const seen = (circuit: 'open' | 'closed') => ({
      version: '1',
      ...{ mode: 'live', role: 'all' as const, host: 'one', pid: 1 },
      startedAt: new Date(),
      providers: [
        { name: 'smsc', circuit, inFlight: 0, isUp: null, detail: null, answerMsP99: null },
      ],
    });
    await saveNode(ctx.db, { node: 'one', ...seen('open') });
    await saveNode(ctx.db, { node: 'two', ...seen('closed') });
    await measureStatus(withProviders, never, 1);
    await save();
    assert.deepEqual(await minutes(), [{ component: 'sms', source: 'probe', good: 1, bad: 0 }]);
    await saveNode(ctx.db, { node: 'two', ...seen('open') });
    await measureStatus(withProviders, never, 1);
    await save();
    assert.deepEqual(await minutes(), [{ component: 'sms', source: 'probe', good: 1, bad: 2 }]);
    await service.sql('truncate node_state');
  });

  test('what the process beside the service has measured, however often it is read', async () => {
    const minuteMs = Math.floor(Date.now() / MINUTE) * MINUTE - 10 * MINUTE;
    const row = { minuteMs, name: 'api', source: 'outside', good: 0, bad: 6 };
    const write = (rows: unknown) =>
      writeWhole(statusFolder(service.ctx.config.dataDir), 'outside.json', JSON.stringify(rows));
    await write([
      row,
      { ...row, name: 'moon' },
      { ...row, bad: -1 },
      { ...row, source: 'traffic' },
    ]);
    await save();
    await save();
    assert.deepEqual(await minutes(), [{ component: 'api', source: 'outside', good: 0, bad: 6 }]);
    await write([]);
  });
});

describe('a planted outage', () => {
  test('shows at once, is counted to the minute, and ends', async () => {
    await plant({ component: 'api', minutes: 3, bad: 3 });
    await refreshSnapshot(service.ctx);
    assert.equal(stateOf('api')?.state, 'major');
    const during = await get('/status?lang=ru');
    assert.match(during.body, /Серьёзный сбой: API/);
    await service.sql("update status_minute set minute = minute - interval '20 minutes'");
    await plant({ component: 'api', minutes: 17, good: 3 });
    await addUpDays(service.ctx);
    await refreshSnapshot(service.ctx);
    const after = stateOf('api');
    assert.equal(after?.state, 'operational');
    const sum = (key: 'measured' | 'major') =>
      after?.days.reduce((total, day) => total + day[key], 0);
    assert.equal(sum('major'), 3);
    // The minute under way is not over, unless it ended while this test ran.
    const uptime = sum('measured') === 20 ? 85 : 84.21;
    assert.ok([19, 20].includes(sum('measured') ?? 0));
    assert.equal(after?.uptimePercent, uptime);
    assert.match((await get('/status?lang=ru')).body, /3 мин, серьёзный сбой/);
    // Adding up once more adds no minute twice.
    await addUpDays(service.ctx);
    await refreshSnapshot(service.ctx);
    assert.ok([uptime, 85].includes(stateOf('api')?.uptimePercent ?? 0));
  });

  test('yesterday is added up again, for what was written down late', async () => {
    const { ctx } = service;
    const day = almatyDay(ctx.clock.now(), -1);
    await service.sql(
      `insert into status_minute select $1::timestamptz + make_interval(mins => n), 'sms', 'traffic', 0, 20
       from generate_series(0, 13) n`,
      [day],
    );
    await addUpDays(ctx);
    assert.deepEqual(
      await service.sql(
        `select day::text as day, component, measured, major from status_day where component = 'sms'`,
      ),
      [{ day: almatyTime(day).slice(0, 10), component: 'sms', measured: 14, major: 14 }],
    );
  });

  test('during public maintenance counts as maintenance, and before it is public as an outage', async () => {
    await plant({ component: 'api', minutes: 11, bad: 3 });
    const now = Date.now();
    const planned = { from: new Date(now - 2 * 3_600_000), until: new Date(now + 3_600_000) };
    const id = await createIncident(
      service.ctx,
      {},
      {
        facts: {
          title: { ru: 'Работы', kk: null, en: null },
          impact: 'minor',
          components: ['api'],
          planned,
        },
        said: { state: 'identified', text: { ru: 'Обновляем', kk: null, en: null } },
      },
    );
    const day = async () => {
      await addUpDays(service.ctx);
      await refreshSnapshot(service.ctx);
      const days = stateOf('api')?.days ?? [];
      return {
        isDown: days.some((one) => one.major >= 10),
        isPlanned: days.some((one) => one.maintenance >= 10),
        state: stateOf('api')?.state,
      };
    };
    assert.deepEqual(await day(), { isDown: true, isPlanned: false, state: 'major' });
    await publishIncident(service.ctx, {}, id);
    assert.deepEqual(await day(), { isDown: false, isPlanned: true, state: 'maintenance' });
    const said = { state: 'resolved' as const, text: { ru: 'Готово', kk: null, en: null } };
    await updateIncident(service.ctx, {}, { id, said });
    assert.notEqual((await day()).state, 'maintenance');
    assert.match((await get('/status?lang=ru')).body, /Завершены/);
  });
});

describe('without the database', () => {
  test('the page answers at once, shows when it was read, and its own API as down', async (t) => {
    const ctx = { ...service.ctx, traffic: createMinuteCounts<Component, MeasureSource>() };
    await plant({ component: 'api', minutes: 2, good: 3 });
    await plant({ component: 'sms', minutes: 2, good: 3 });
    await refreshSnapshot(ctx);
    const readAt = ctx.statusPage.snapshot?.at;
    const away = t.mock.method(ctx.db, 'query', () => Promise.reject(new Error('away')));
    for (let probes = 0; probes < 3; probes += 1) ctx.traffic.add('api', 'probe', false);
    await assert.rejects(refreshSnapshot(ctx));
    away.mock.restore();
    const { body, statusCode } = await get('/status?lang=ru');
    assert.equal(statusCode, 200);
    assert.match(body, /Серьёзный сбой: API/);
    assert.equal(ctx.statusPage.snapshot?.at, readAt);
    assert.equal(stateOf('sms')?.state, 'operational');
    assert.equal(JSON.parse((await get('/status/summary.json')).body).status.indicator, 'critical');
  });

  test('no page, feed, summary or badge asks it anything', async (t) => {
    const asked = t.mock.method(service.ctx.db.pool, 'query');
    const connected = t.mock.method(service.ctx.db.pool, 'connect');
    await refreshSnapshot(service.ctx);
    const before = asked.mock.callCount() + connected.mock.callCount();
    assert.notEqual(before, 0);
    for (const url of ['', '/history.atom', '/summary.json', '/badge.svg']) {
      assert.equal((await get(`/status${url}`)).statusCode, 200);
    }
    assert.equal(asked.mock.callCount() + connected.mock.callCount(), before);
  });
});

describe('the addresses', () => {
  test('each has its type, and only the summary and the badge are for other sites', async () => {
    await refreshSnapshot(service.ctx);
    const EXPECTED: [string, string, string | undefined][] = [
      ['/status', 'text/html; charset=utf-8', undefined],
      ['/status/history.atom', 'application/atom+xml; charset=utf-8', undefined],
      ['/status/summary.json', 'application/json; charset=utf-8', '*'],
      ['/status/badge.svg', 'image/svg+xml; charset=utf-8', '*'],
    ];
    for (const [url, type, origin] of EXPECTED) {
      const { headers, statusCode } = await get(url, { origin: 'https://shop.kz' });
      assert.equal(statusCode, 200);
      assert.equal(headers['content-type'], type);
      assert.equal(headers['access-control-allow-origin'], origin);
      assert.match(String(headers.vary), /accept-language/);
      assert.match(String(headers['cache-control']), /no-cache/);
      const head = await service.http.inject({ method: 'HEAD', url });
      assert.deepEqual([head.statusCode, head.body], [200, '']);
      assert.equal((await service.http.inject({ method: 'POST', url })).statusCode, 405);
    }
    const packed = await get('/status', { 'accept-encoding': 'gzip' });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.equal(packed.rawPayload.length < 15_000, true, String(packed.rawPayload.length));
  });

  test('the language is that of the address, then that of the browser', async () => {
    const titleOf = async (url: string, accept = '') =>
      /<h1>(.*?)<\/h1>/.exec((await get(url, { 'accept-language': accept })).body)?.[1];
    assert.equal(await titleOf('/status'), 'Статус сервиса');
    assert.equal(await titleOf('/status', 'kk-KZ'), 'Сервис мәртебесі');
    assert.equal(await titleOf('/status?lang=en', 'kk-KZ'), 'Service status');
    assert.match((await get('/status/badge.svg?lang=kk')).body, /Дерек жоқ/);
  });

  test('before anything was measured nothing is green', async () => {
    const { body } = await get('/status?lang=en');
    assert.equal(body.match(/No data<\/span>/g)?.length, COMPONENTS.length);
    assert.doesNotMatch(body, /is-operational/);
  });

  test('a draft is nowhere, and a public incident everywhere, without who wrote it', async () => {
    const id = await createIncident(
      service.ctx,
      {},
      {
        facts: {
          title: { ru: 'Тайный сбой', kk: null, en: null },
          impact: 'critical',
          components: ['sms'],
          planned: null,
        },
        said: { state: 'investigating', text: { ru: 'Выясняем', kk: null, en: null } },
      },
    );
    await service.sql(`update incident_update set written_by = 'Дежурный Асан'`);
    const everything = async () => {
      await refreshSnapshot(service.ctx);
      const urls = ['/status', '/status/history.atom', '/status/summary.json'];
      return (await Promise.all(urls.map((url) => get(url)))).map(({ body }) => body);
    };
    for (const body of await everything()) assert.doesNotMatch(body, /Тайный/);
    await publishIncident(service.ctx, {}, id);
    for (const body of await everything()) {
      assert.match(body, /Тайный сбой/);
      assert.doesNotMatch(body, /Асан/);
    }
    assert.equal(stateOf('sms')?.state, 'major');
  });
});
