import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { QueryOf } from '@zhiber/contract/cabinet/endpoint.ts';
import { KEY_ENDPOINTS } from '@zhiber/contract/cabinet/keys.ts';
import { REQUEST_ENDPOINTS as R, type RequestRow } from '@zhiber/contract/cabinet/requests.ts';
import fc from 'fast-check';
import type { CompanyId, KeyId } from '../../src/ids.ts';
import { listRequests, type RequestFilter } from '../../src/messages/list-requests.ts';
import { WINDOW } from '../../src/messages/request-store.ts';
import { until, useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';
import { explainQueries } from './explain-queries.ts';
import { insertPastMessages } from './past-messages.ts';

const service = useService();
const cabinet = createCabinetClient(service);

type Query = QueryOf<typeof R.requests>;

async function readAllPages(who: { cookie: string }, query: Query = {}) {
  const rows: RequestRow[] = [];
  let pages = 0;
  let cursor: string | undefined;
  do {
    const pageQuery = { ...query, ...(cursor !== undefined && { cursor }) };
    const page = (await cabinet.as(who).call(R.requests, { query: pageQuery })).ok();
    rows.push(...page.rows);
    cursor = page.next ?? undefined;
    pages += 1;
    assert(pages < 100, 'the list never ends');
  } while (cursor !== undefined);
  return { rows, pages };
}

async function createDeveloper(companyId: CompanyId) {
  return await cabinet.person({ companyId, role: 'developer' });
}

/** Inserts refused calls, spread over the last hours. */
async function insertLog(
  key: { companyId: CompanyId; keyId: KeyId },
  count: number,
  hours: number,
) {
  await service.sql(
    `insert into request_log (at, company_id, key_id, request_id, path, status, error_code, duration_ms)
     select clock_timestamp() - make_interval(secs => n * $4::float8 * 3600 / $3), $1, $2, 'log_' || n,
       '/api/otp/send', case when n % 3 = 0 then 503 else 422 end, case when n % 3 = 0
         then 'service_unavailable' else 'invalid_phone' end, 5
     from generate_series(1, $3::integer) as n`,
    [key.companyId, key.keyId, count, hours],
  );
}

test('the list shows every call once: accepted, refused and failed ones', async () => {
  const key = await service.key({ isTest: true });
  const developer = await createDeveloper(key.companyId);
  const phone = '+77010000001';
  const calls = [
    await service.call('/otp/send', { phone, channel: 'sms' }, key),
    await service.call('/otp/send', { phone, channel: 'sms' }, key),
    await service.call('/otp/send', { phone: 'x' }, key),
    await service.call('/otp/verify', { phone, code: service.readSentCode(key, phone) }, key),
    // Every channel refuses this test number: there is a message, and the call failed.
    await service.call('/otp/send', { phone: '+77000000004' }, key),
    await service.call('/links/shorten', { url: 'https://example.kz' }, key),
  ];
  let rows: RequestRow[] = [];
  await until('the log is written', async () => {
    rows = (await readAllPages(developer)).rows;
    return rows.length >= calls.length;
  });
  const summarize = (answer: (typeof calls)[number]) => [
    answer.headers['x-request-id'],
    answer.status,
    answer.body.error_code ?? null,
    answer.body.message_id ?? null,
  ];
  assert.deepEqual(
    rows.map((row) => [row.request_id, row.status, row.error_code, row.message_id]).sort(),
    calls.map(summarize).sort(),
  );
  const sent = rows.find((row) => row.request_id === calls[0]?.headers['x-request-id']);
  assert.equal(sent?.path, '/api/otp/send');
  assert.equal(sent?.phone, '+7701***0001');
  assert.equal(sent?.channel, 'sms');
  assert.deepEqual(sent?.key, { id: key.keyId, name: 'ключ', mode: 'test' });
  assert((sent?.duration_ms ?? -1) >= 0 && (sent?.duration_ms ?? 1e9) < 10_000);
  const newest = rows.map((row) => row.at);
  assert.deepEqual(newest, [...newest].sort().reverse());
});

test('the duration of a call does not include later fallbacks', async () => {
  const key = await service.key();
  await insertPastMessages(service.sql, {
    ...key,
    count: 1,
    fromHours: 1,
    columns: { attempt: '2' },
  });
  await service.sql(
    `with moved as (update message set settled_at = created_at + interval '40 seconds'
       where company_id = $1 returning *)
     insert into attempt (company_id, message_id, number, channel, state, price, started_at, settled_at)
     select company_id, id, n, 'sms', 'accepted', 3, created_at, created_at + n * interval '0.2 seconds'
     from moved, generate_series(1, 2) as n`,
    [key.companyId],
  );
  const { rows } = await readAllPages(await createDeveloper(key.companyId));
  assert.deepEqual(
    rows.map((row) => row.duration_ms),
    [200],
  );
});

describe('accepted and refused calls are paged as one list', () => {
  const setUp = async () => {
    const key = await service.key();
    await insertPastMessages(service.sql, { ...key, count: 130, fromHours: 5, toHours: 1 });
    await insertLog(key, 90, 6);
    const other = await service.key();
    await insertPastMessages(service.sql, { ...other, count: 10, fromHours: 5 });
    await insertLog(other, 10, 5);
    return { ...key, developer: await createDeveloper(key.companyId) };
  };
  let ready: ReturnType<typeof setUp> | undefined;
  const cases: Record<string, [Query, number]> = {
    all: [{}, 220],
    'accepted calls': [{ outcome: 'ok' }, 130],
    'refused calls': [{ outcome: 'refused' }, 60],
    'failed calls': [{ outcome: 'failed' }, 30],
    'wrong codes, of which there are none': [{ outcome: 'wrong_code' }, 0],
    'one error code': [{ error_code: 'service_unavailable' }, 30],
    'one path': [{ path: '/api/otp/send' }, 220],
    'another path': [{ path: '/api/group/send' }, 0],
    'an unknown path': [{ path: '/etc/passwd' }, 0],
    'the request id of an accepted call': [{ request_id: 'req_past7' }, 1],
    'the request id of a refused call': [{ request_id: 'log_7' }, 1],
    'the last hour': [{ range: 'hour' }, 14],
    'another key': [{ key_id: 999_999 }, 0],
  };
  for (const [name, [query, count]] of Object.entries(cases)) {
    test(name, async () => {
      ready ??= setUp();
      const { rows, pages } = await readAllPages((await ready).developer, query);
      assert.equal(rows.length, count);
      assert.equal(new Set(rows.map((row) => row.request_id)).size, count);
      const times = rows.map((row) => row.at);
      assert.deepEqual(times, [...times].sort().reverse());
      assert(pages <= Math.max(Math.ceil(count / 50), 1) + 1);
    });
  }
});

test('a long list reads only the rows of its page, and a rare match is searched in steps', async () => {
  const key = await service.key();
  await insertPastMessages(service.sql, { ...key, count: WINDOW + 500, fromHours: 100 });
  await insertLog(key, WINDOW + 500, 100);
  await service.sql(
    `update request_log set error_code = 'rare' where company_id = $1
     and request_id in ('log_3', 'log_' || $2::integer)`,
    [key.companyId, WINDOW + 300],
  );
  await service.sql('analyze message, request_log');
  const read = async (filter: RequestFilter) => {
    const { db, largest } = explainQueries(service.ctx.db);
    const ctx = { db, reads: db, clock: service.ctx.clock };
    return { ...(await listRequests(ctx, key.companyId, filter, undefined)), read: largest.rows };
  };
  const all = await read({});
  assert.equal(all.rows.length, 50);
  assert(all.read <= 200, `${all.read} rows`);
  const rare = await read({ error_code: 'rare' });
  assert(rare.read <= WINDOW + 20, `${rare.read} rows`);
  assert.equal(rare.rows.length, 1);
  assert(rare.next !== null && rare.searchedUntil !== null);
  const developer = await createDeveloper(key.companyId);
  const { rows, pages } = await readAllPages(developer, { error_code: 'rare' });
  assert.deepEqual([rows.length, pages], [2, 2]);
});

test('no cursor makes the list fail', async () => {
  const developer = await createDeveloper((await service.key()).companyId);
  const pieces = fc.constantFrom('~', ':', '1', '9999999999999999', 'req_x', "'", '\0', 'я');
  const ids = fc.uuid();
  const cursor = fc
    .array(fc.oneof(pieces, ids), { minLength: 1, maxLength: 6 })
    .map((parts) => parts.join('').slice(0, 200));
  await fc.assert(
    fc.asyncProperty(fc.oneof(cursor, fc.string({ minLength: 1 })), async (text) => {
      const { status } = await cabinet.as(developer).call(R.requests, { query: { cursor: text } });
      assert(status === 200 || status === 422, `${JSON.stringify(text)}: ${status}`);
    }),
    { numRuns: 150 },
  );
});

test('errors are counted by code, and calls by outcome', async () => {
  const key = await service.key();
  await service.sql(`update company set created_at = now() - interval '20 days' where id = $1`, [
    key.companyId,
  ]);
  await insertPastMessages(service.sql, { ...key, count: 40, fromHours: 20 });
  await insertLog(key, 30, 20);
  const developer = await createDeveloper(key.companyId);
  for (const range of ['24h', '7d', '24h'] as const) {
    const query = { range };
    const answer = (await cabinet.as(developer).call(R.requestErrors, { query })).ok();
    assert.deepEqual(answer.errors, [
      { error_code: 'invalid_phone', count: 20 },
      { error_code: 'service_unavailable', count: 10 },
    ]);
    assert.equal(answer.buckets.length, range === '24h' ? 24 : 7);
    const sum = (name: 'ok' | 'refused' | 'failed') =>
      answer.buckets.reduce((total, bucket) => total + bucket[name], 0);
    assert.deepEqual([sum('ok'), sum('refused'), sum('failed')], [40, 20, 10]);
  }
});

describe('the panel of a call', () => {
  const readCall = async (who: { cookie: string }, id: unknown) => {
    const params = { id: String(id) };
    await until(`${id} is logged`, async () => {
      return (await cabinet.as(who).call(R.request, { params })).status === 200;
    });
    return (await cabinet.as(who).call(R.request, { params })).ok();
  };

  test('shows what an accepted send was understood as, rebuilt from its message', async () => {
    const key = await service.key({ isTest: true });
    const manager = await cabinet.person({ companyId: key.companyId, role: 'manager' });
    const phone = service.phone();
    const body = { phone, purpose: 'login', channel: 'sms', link: 'https://example.kz/a?b=c' };
    const { headers, body: answer } = await service.call('/otp/send', body, key);
    const found = await readCall(manager, headers['x-request-id']);
    assert.equal(found.source, 'rebuilt');
    assert.deepEqual(found.request, body);
    const { balance, expires_in, ...known } = answer;
    assert.deepEqual(found.answer, known);
    const developer = await createDeveloper(key.companyId);
    const masked = await readCall(developer, headers['x-request-id']);
    assert.equal(masked.request?.phone, `${phone.slice(0, 5)}***${phone.slice(-4)}`);
  });

  test('shows a refusal as it was sent and answered, the phone by right, the code to nobody', async () => {
    const key = await service.key({ isTest: true });
    const manager = await cabinet.person({ companyId: key.companyId, role: 'manager' });
    const developer = await createDeveloper(key.companyId);
    const phone = service.phone();
    await service.call('/otp/send', { phone, channel: 'sms' }, key);
    const right = service.readSentCode(key, phone);
    const wrong = right.startsWith('9') ? `1${right.slice(1)}` : `9${right.slice(1)}`;
    const spelled = `8${phone.slice(2)}`;
    const call = await service.call('/otp/verify', { phone: spelled, code: wrong }, key);
    assert.equal(call.body.error_code, 'invalid_code');
    const id = call.headers['x-request-id'];
    const seen = await readCall(manager, id);
    assert.equal(seen.source, 'stored');
    assert.deepEqual(seen.request, { phone: spelled, code: '•••' });
    assert.deepEqual(seen.answer, call.body);
    const masked = await readCall(developer, id);
    assert.deepEqual(masked.request, {
      phone: `${phone.slice(0, 5)}***${phone.slice(-4)}`,
      code: '•••',
    });
    const verified = await service.call('/otp/verify', { phone, code: right }, key);
    const shown = await readCall(developer, verified.headers['x-request-id']);
    assert.deepEqual(shown.answer, verified.body);
    assert(!JSON.stringify([seen, masked, shown]).includes(right));
  });

  test('shows the shape of a body that is no JSON, and no body that was not read', async () => {
    const key = await service.key({ isTest: true });
    const manager = await cabinet.person({ companyId: key.companyId, role: 'manager' });
    const broken = await service.call('/otp/send', '{"phone": "+77011234567",}', key);
    const shown = await readCall(manager, broken.headers['x-request-id']);
    assert.deepEqual([shown.source, shown.shape], ['broken', '{"phone": "•••",}']);
    assert.deepEqual(shown.answer, broken.body);
    const other = await service.call(
      '/otp/send',
      { phone: 'x' },
      {
        key: key.key,
        headers: { 'content-type': 'text/plain' },
      },
    );
    const unread = await readCall(manager, other.headers['x-request-id']);
    assert.deepEqual([unread.source, unread.request], ['none', null]);
  });

  test('shows a phone in an unexpected field to nobody who may not see phones', async () => {
    const key = await service.key({ isTest: true });
    const developer = await createDeveloper(key.companyId);
    const body = { phone: '+7 701 123-45-67', url: 'https://a.kz/77011234567', channel: 'pigeon' };
    const call = await service.call('/links/send', body, key);
    assert.equal(call.body.error_code, 'validation_error');
    const shown = await readCall(developer, call.headers['x-request-id']);
    assert.deepEqual(shown.request, {
      phone: '+7701***4567',
      url: 'https://a.kz/•••',
      channel: 'pigeon',
    });
  });
});

describe('the search of the calls', () => {
  const setUp = async () => {
    const key = await service.key({ isTest: true, name: 'Сайт клиники' });
    const other = await service.key({ isTest: true, name: 'Склад', companyId: key.companyId });
    const calls = {
      sent: await service.call('/otp/send', { phone: '+77015550001', channel: 'sms' }, key),
      wrong: await service.call('/otp/verify', { phone: '+77015550001', code: '1' }, key),
      sameEnd: await service.call('/otp/send', { phone: '+77019990001', channel: 'sms' }, key),
      refused: await service.call('/otp/send', { phone: 'x' }, other),
      link: await service.call('/links/shorten', { url: 'https://example.kz' }, other),
    };
    const developer = await createDeveloper(key.companyId);
    const manager = await cabinet.person({ companyId: key.companyId, role: 'manager' });
    await until('all calls are listed', async () => {
      return (await readAllPages(developer)).rows.length === 5;
    });
    return { calls, developer, manager };
  };
  let ready: ReturnType<typeof setUp> | undefined;
  const cases: Record<string, [search: string, found: string[]]> = {
    'a phone': ['+77015550001', ['sent', 'wrong']],
    'a phone as people write it': ['8 (701) 555-00-01', ['sent', 'wrong']],
    'the last four digits': ['0001', ['sent', 'wrong', 'sameEnd']],
    'more of the last digits': ['555-00-01', ['sent', 'wrong']],
    'a status': ['422', ['wrong', 'refused']],
    'the status of a success': ['200', ['sent', 'sameEnd', 'link']],
    'an error code': ['invalid_phone', ['refused']],
    'a path': ['otp/verify', ['wrong']],
    'a path with /api': ['/api/links/shorten', ['link']],
    'the name of a key': ['сайт', ['sent', 'wrong', 'sameEnd']],
    nothing: ['what is this', []],
  };
  for (const [name, [search, found]] of Object.entries(cases)) {
    test(`finds ${name}`, async () => {
      ready ??= setUp();
      const { calls, manager } = await ready;
      const { rows } = await readAllPages(manager, { search });
      const ids = Object.entries(calls).map(([call, { headers }]) => [
        headers['x-request-id'],
        call,
      ]);
      const names = new Map(ids as [string, string][]);
      assert.deepEqual(rows.map((row) => names.get(row.request_id)).sort(), [...found].sort());
    });
  }

  test('finds a request id and a message id', async () => {
    ready ??= setUp();
    const { calls, developer } = await ready;
    for (const call of [calls.sent, calls.refused]) {
      const search = String(call.headers['x-request-id']);
      const { rows } = await readAllPages(developer, { search });
      assert.deepEqual(
        rows.map((row) => row.request_id),
        [search],
      );
    }
    const { rows } = await readAllPages(developer, { search: String(calls.sent.body.message_id) });
    assert.deepEqual(
      rows.map((row) => row.request_id),
      [calls.sent.headers['x-request-id']],
    );
  });

  test('does not tell the hidden digits to a role that sees phones masked', async () => {
    ready ??= setUp();
    const { developer } = await ready;
    assert.equal((await readAllPages(developer, { search: '0001' })).rows.length, 3);
    const query = { search: '50001' };
    (await cabinet.as(developer).call(R.requests, { query })).refused('validation_error');
    for (let n = 0; n < 30; n++) {
      const search = `+770155${String(50_000 + n)}`;
      (await cabinet.as(developer).call(R.requests, { query: { search } })).ok();
    }
    const last = { search: '+77015550099' };
    (await cabinet.as(developer).call(R.requests, { query: last })).refused('phone_search_limited');
  });

  test('finds a phone in rows of an earlier release, which have it masked alone', async () => {
    const key = await service.key();
    await insertLog(key, 1, 1);
    await service.sql(`update request_log set phone = '+7701***0077' where company_id = $1`, [
      key.companyId,
    ]);
    const manager = await cabinet.person({ companyId: key.companyId, role: 'manager' });
    for (const search of ['+77015550077', '0077']) {
      assert.equal((await readAllPages(manager, { search })).rows.length, 1, search);
    }
  });
});

test('codes that people typed wrong are counted apart from refusals', async () => {
  const key = await service.key();
  await insertLog(key, 30, 20);
  await service.sql(
    `insert into request_log (at, company_id, key_id, request_id, path, status, error_code, duration_ms)
     select clock_timestamp(), $1, $2, code, '/api/otp/verify', status, code, 5 from (values
       ('invalid_code', 422), ('code_expired', 422), ('code_already_used', 422), ('code_not_found', 422),
       ('too_many_attempts', 429), ('internal_error', 500)) as v(code, status)`,
    [key.companyId, key.keyId],
  );
  await service.sql(`update company set created_at = now() - interval '20 days' where id = $1`, [
    key.companyId,
  ]);
  const developer = await createDeveloper(key.companyId);
  const answer = (await cabinet.as(developer).call(R.requestErrors, { query: {} })).ok();
  assert.deepEqual(
    answer.errors.map(({ error_code }) => error_code),
    ['invalid_phone', 'service_unavailable', 'internal_error'],
  );
  assert.equal(answer.wrong_codes.length, 5);
  const sum = (name: 'wrong_code' | 'refused' | 'failed') =>
    answer.buckets.reduce((total, bucket) => total + bucket[name], 0);
  assert.deepEqual([sum('wrong_code'), sum('refused'), sum('failed')], [5, 20, 11]);
  const counts = [];
  for (const outcome of ['ok', 'wrong_code', 'refused', 'failed'] as const) {
    counts.push((await readAllPages(developer, { outcome })).rows.length);
  }
  assert.deepEqual(counts, [0, 5, 20, 11]);
  const params = { id: String(key.keyId) };
  const use = (await cabinet.as(developer).call(KEY_ENDPOINTS.keyUse, { params, query: {} })).ok();
  assert.equal(use.wrong_codes, 5);
  assert.equal(
    use.buckets.reduce((total, { refusals }) => total + refusals, 0),
    31,
  );
});
