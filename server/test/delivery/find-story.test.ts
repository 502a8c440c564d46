import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recordReceipt } from '../../src/delivery/record-receipt.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import type { CompanyId, MessageId } from '../../src/ids.ts';
import { findStory, readStorySearch, type StorySearch } from '../../src/messages/find-story.ts';
import { conclusionText, eventText } from '../../src/messages/story-words.ts';
import { explainQueries } from '../cabinet/explain-queries.ts';
import { insertPastMessages } from '../cabinet/past-messages.ts';
import { type TestKey, until, useService } from '../harness.ts';
import { wrongCode } from '../wrong-code.ts';
import { answersUnknown, refuses, scriptedChannels } from './scripted-channel.ts';

const channels = scriptedChannels();
const service = useService({ providers: channels });

const HOUR_MS = 3_600_000;
const TODAY = () => ({
  from: new Date(Date.now() - 12 * HOUR_MS),
  to: new Date(Date.now() + HOUR_MS),
});
/** Almaty is five hours ahead of UTC. */
const almaty = (at: Date) => new Date(at.getTime() + 5 * HOUR_MS).toISOString().slice(11, 19);

async function tell(text: string, range = TODAY()) {
  const search = readStorySearch(text);
  assert(search !== undefined, text);
  const story = await findStory(service.ctx, search, range);
  return {
    ...story,
    kinds: story.events.map(({ kind }) => kind),
    sentence: (lang: 'ru' | 'kk' | 'en' = 'en') =>
      conclusionText(story.conclusion, story.companies, lang),
    texts: story.events.map((event) => eventText(event, 'en')),
  };
}

/** Waits for the calls of a company that are logged in the background. */
async function callsLogged({ companyId }: TestKey, count: number): Promise<void> {
  await until('the calls are logged', async () => {
    const rows = await service.sql('select from request_log where company_id = $1', [companyId]);
    return rows.length >= count;
  });
}

async function keyOf(name: string, settings: Parameters<typeof service.key>[0] = {}) {
  const key = await service.key(settings);
  await service.sql('update company set name = $2 where id = $1', [key.companyId, name]);
  return key;
}

const send = (key: TestKey, phone: string, more: object = {}) =>
  service.call('/otp/send', { phone, ...more }, key);

const searches: [string, StorySearch | undefined][] = [
  ['+77011234567', { phone: '77011234567' } as StorySearch],
  ['8 (701) 123-45-67', { phone: '77011234567' } as StorySearch],
  [' 701 123 45 67 ', { phone: '77011234567' } as StorySearch],
  [
    '0198C0DE-0000-7000-8000-000000000000',
    { id: '0198c0de-0000-7000-8000-000000000000' } as StorySearch,
  ],
  ['req_abc123', { requestId: 'req_abc123' }],
  ['+7701', undefined],
  ['12345', undefined],
  ['два слова', undefined],
  ['', undefined],
];
for (const [text, expected] of searches) {
  test(`"${text}" is ${expected === undefined ? 'refused' : `a ${Object.keys(expected)[0]}`}`, () => {
    assert.deepEqual(readStorySearch(text), expected);
  });
}

test('nothing was sent: the sentence says that no request came', async () => {
  const story = await tell('+77470000001');
  assert.deepEqual(story.conclusion, { verdict: 'nothing_sent' });
  assert.equal(story.events.length, 0);
  assert.match(story.sentence('ru'), /никто ничего не отправлял/);
});

test('a second code within a minute: refused by the phone limit, and free again a minute after the first', async () => {
  const key = await keyOf('Magnum');
  const phone = service.phone();
  const base = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS);
  const recipient = phone.slice(1);
  await insertPastMessages(service.sql, {
    ...key,
    count: 1,
    fromHours: 0,
    now: base,
    columns: { recipient, receipt: 'null' },
  });
  const refusedAt = new Date(base.getTime() + 40_000);
  await service.sql(
    `insert into request_log (at, company_id, key_id, request_id, path, status, error_code, duration_ms, phone)
     values ($1, $2, $3, 'req_limit', '/api/otp/send', 429, 'send_rate_limited', 4, $4)`,
    [refusedAt, key.companyId, key.keyId, `+${recipient.slice(0, -7)}***${recipient.slice(-4)}`],
  );
  const story = await tell(phone);
  // Accepted 120 ms after the request; the minute counts from there.
  const free = almaty(new Date(base.getTime() + 60_120));
  assert.equal(
    story.sentence(),
    `Magnum: the request at ${almaty(refusedAt)} was refused: phone limit, one code a minute; ` +
      `allowed again at ${free}; the log has the number masked, and its visible digits match.`,
  );
  assert.equal(
    story.sentence('ru'),
    `Magnum: запрос в ${almaty(refusedAt)} отклонён — ограничение на номер: не больше одного кода в минуту, ` +
      `снова можно с ${free}; в журнале номер скрыт, совпадают видимые цифры.`,
  );
  assert.deepEqual(story.kinds, ['accepted', 'attempt', 'sent', 'send_refused']);
  const byRequest = await tell('req_limit');
  assert.deepEqual(byRequest.kinds, ['send_refused']);
  assert.equal(byRequest.conclusion.verdict, 'refused');
});

test('WhatsApp accepted without a receipt, and the operator refused the SMS fallback', async () => {
  const key = await keyOf('Kolesa', { channels: ['whatsapp', 'sms'] });
  const phone = service.phone();
  channels.sms.onSend(phone, refuses);
  const sent = await send(key, phone);
  await service.passTime(32);
  await watchOnce(service.ctx);
  const story = await tell(phone);
  assert.match(
    story.sentence(),
    /^Kolesa: sent at \d\d:\d\d:\d\d: WhatsApp accepted it at \d\d:\d\d:\d\d, delivery not confirmed; SMS refused it at \d\d:\d\d:\d\d: Номера нет\.$/,
  );
  assert.deepEqual(story.kinds, [
    'accepted',
    'attempt',
    'sent',
    'unconfirmed',
    'fallback',
    'refused',
  ]);
  assert(story.texts.includes('SMS refused it: Номера нет'));
  const byId = await tell(String(sent.body.message_id).toUpperCase(), {
    from: new Date(0),
    to: new Date(1),
  });
  assert.deepEqual(byId.conclusion, story.conclusion);
  const byRequest = await tell(String(sent.headers['x-request-id']));
  assert.deepEqual(byRequest.conclusion, story.conclusion);
});

test('no money: the caller got 402, from a company that never reached this phone', async () => {
  const key = await keyOf('Бедная', { balance: 0 });
  const phone = service.phone();
  assert.equal((await send(key, phone)).status, 402);
  await callsLogged(key, 1);
  const story = await tell(phone);
  assert.match(
    story.sentence(),
    /^Бедная: the request at \d\d:\d\d:\d\d was refused: not enough tokens on the balance;/,
  );
  assert.match(story.sentence('kk'), /баланста токен жетпейді/);
});

test('every channel refused: the call failed, and its message tells the reasons once', async () => {
  const key = await keyOf('Отказ', { channels: ['whatsapp', 'sms'] });
  const phone = service.phone();
  channels.whatsapp.onSend(phone, refuses);
  channels.sms.onSend(phone, refuses);
  assert.equal((await send(key, phone)).status, 502);
  await callsLogged(key, 1);
  const story = await tell(phone);
  assert.equal(story.conclusion.verdict, 'not_delivered');
  assert.match(
    story.sentence(),
    /WhatsApp refused it at \d\d:\d\d:\d\d: Номера нет; SMS refused it at \d\d:\d\d:\d\d: Номера нет\.$/,
  );
  assert.equal(story.kinds.filter((kind) => kind === 'send_refused').length, 1);
  assert.equal(story.events.find(({ kind }) => kind === 'send_refused')?.isMasked, false);
});

test('an unclear answer of the channel is told as such', async () => {
  const key = await keyOf('Неясно', { channels: ['sms'] });
  const phone = service.phone();
  channels.sms.onSend(phone, answersUnknown);
  await send(key, phone);
  const story = await tell(phone);
  assert.equal(story.conclusion.verdict, 'unknown');
  assert.match(story.sentence(), /SMS gave no clear answer at \d\d:\d\d:\d\d: Связь оборвалась/);
});

describe('after the delivery', () => {
  const deliver = async (key: TestKey, id: unknown) =>
    recordReceipt(service.ctx, {
      ref: { companyId: key.companyId, messageId: id as MessageId, attempt: 1 },
      receipt: 'delivered',
    });

  test('wrong codes and a late one are counted, and no code is ever shown', async () => {
    const key = await keyOf('Ввод', { channels: ['sms'] });
    const phone = service.phone();
    const sent = await send(key, phone);
    const code = channels.sms.sentTo(phone).at(-1)?.code ?? assert.fail();
    await deliver(key, sent.body.message_id);
    for (let guess = 0; guess < 2; guess++) {
      await service.call('/otp/verify', { phone, code: wrongCode(code) }, key);
    }
    await service.sql(
      `update code set expires_at = clock_timestamp() - interval '1 second' where company_id = $1`,
      [key.companyId],
    );
    await service.call('/otp/verify', { phone, code }, key);
    await callsLogged(key, 3);
    const story = await tell(phone);
    assert.match(
      story.sentence(),
      /^Ввод: delivered by SMS at \d\d:\d\d:\d\d; wrong codes entered: 2; codes entered too late: 1\.$/,
    );
    assert.deepEqual(story.kinds.slice(-3), ['code_wrong', 'code_wrong', 'code_expired']);
    const shown = JSON.stringify([story.events, story.conclusion, story.texts]);
    assert.equal(shown.includes(code), false);
    assert.equal(shown.includes(wrongCode(code)), false);
  });

  test('a code that was entered correctly has arrived, whatever the channel says', async () => {
    const key = await keyOf('Вход', { channels: ['sms'] });
    const phone = service.phone();
    await send(key, phone);
    const code = channels.sms.sentTo(phone).at(-1)?.code ?? assert.fail();
    assert.equal((await service.call('/otp/verify', { phone, code }, key)).status, 200);
    await callsLogged(key, 1);
    const story = await tell(phone);
    assert.match(story.sentence(), /^Вход: the code arrived and was entered correctly at/);
    assert.equal(story.kinds.filter((kind) => /verified/.test(kind)).length, 1);
  });
});

test('the story of a message has no calls of other companies, whose phones look the same masked', async () => {
  const [own, other] = [await keyOf('Своя'), await keyOf('Чужая')];
  const phone = service.phone();
  const sent = await send(own, phone);
  // The log keeps phones masked: the same phone, and any that differs in the hidden digits.
  await service.call('/otp/verify', { phone, code: '000000' }, other);
  await callsLogged(other, 1);
  const story = await tell(String(sent.body.message_id));
  assert.deepEqual([...story.companies.values()], ['Своя']);
  assert.equal(story.kinds.includes('code_wrong'), false);
});

test('the newest try that failed is explained, with what arrived later and from whom', async () => {
  const [first, second] = [await keyOf('Первая', { balance: 0 }), await keyOf('Вторая')];
  const phone = service.phone();
  await send(first, phone);
  await callsLogged(first, 1);
  const sent = await send(second, phone, { channel: 'sms' });
  await recordReceipt(service.ctx, {
    ref: {
      companyId: second.companyId,
      messageId: sent.body.message_id as MessageId,
      attempt: 1,
    },
    receipt: 'delivered',
  });
  const story = await tell(phone);
  assert.match(story.sentence(), /^Первая: the request .*; later Вторая: delivered by SMS at/);
  assert.deepEqual([...story.companies.values()].sort(), ['Вторая', 'Первая']);
});

test('SMS that the pumping guard kept back are part of the story', async () => {
  const key = await keyOf('Накрутка', { channels: ['whatsapp', 'sms'] });
  const phone = service.phone();
  await send(key, phone);
  await service.sql(
    `insert into guard_decision (minute, company_id, prefix, sent, verified, bound, action, sends, probes)
     select date_trunc('minute', clock_timestamp()), $1, prefix, 50, 1, 0.1, 'blocked', 1, 0
     from unnest(array['7701', '7702']) as prefix`,
    [key.companyId],
  );
  const story = await tell(phone);
  const blocked = story.events.filter(({ kind }) => kind === 'sms_blocked');
  assert.deepEqual(
    blocked.map(({ reason }) => reason),
    ['+7701'],
  );
});

test('the range of time cuts both messages and refusals', async () => {
  const key = await keyOf('Время', { balance: 4 });
  const phone = service.phone();
  await send(key, phone, { channel: 'whatsapp' });
  await send(key, phone);
  await callsLogged(key, 1);
  const past = { from: new Date(Date.now() - 2 * HOUR_MS), to: new Date(Date.now() - HOUR_MS) };
  assert.equal((await tell(phone, past)).events.length, 0);
  assert(new Set((await tell(phone)).kinds).has('send_refused'));
});

test('a phone is found among 200 companies without reading the messages of other phones', async () => {
  const companies = await service.sql<{ id: CompanyId; key_id: number }>(
    `with made as (insert into company (name) select 'Соседка ' || n from generate_series(1, 200) n returning id)
     insert into api_key (company_id, name, is_test, secret_hash, shown_start, shown_end, channels, code_length,
       code_ttl_seconds, fallback_seconds, language)
     select id, 'k', false, decode(md5(id::text), 'hex'), 'a', 'b', '{sms}', 6, 300, 30, 'ru' from made
     returning company_id as id, id as key_id`,
  );
  await service.sql(
    'insert into account (company_id) select id from company on conflict do nothing',
  );
  await service.sql(
    `insert into message (company_id, id, key_id, kind, is_test, recipient, state, created_at, next_check_at, request_id,
       receipt, channel, settled_at)
     select c.id, (substr(uuid_at(at)::text, 1, 14) || '7' || substr(md5(n::text || c.id), 1, 3) || '-8'
         || substr(md5(n::text), 4, 3) || '-' || substr(md5(c.id || 'x' || n), 7, 12))::uuid, c.key_id, 'otp', false,
       77050000000 + n, 'sent', at, at, 'req_' || n, 'delivered', 'sms', at
     from unnest($1::bigint[], $2::bigint[]) as c(id, key_id), generate_series(1, 100) n,
       lateral (select clock_timestamp() - make_interval(mins => n) as at) t`,
    [companies.map(({ id }) => id), companies.map(({ key_id }) => key_id)],
  );
  await service.sql(
    `insert into request_log (at, company_id, key_id, request_id, path, status, error_code, duration_ms, phone)
     select clock_timestamp() - make_interval(mins => n), c.id, c.key_id, 'log' || n, '/api/otp/send', 429,
       'send_rate_limited', 3, '+7705***' || lpad(n::text, 4, '0')
     from unnest($1::bigint[], $2::bigint[]) as c(id, key_id), generate_series(1, 100) n`,
    [companies.map(({ id }) => id), companies.map(({ key_id }) => key_id)],
  );
  await service.sql('analyze message, request_log, company');
  const { db, largest } = explainQueries(service.ctx.db);
  const range = { from: new Date(Date.now() - 12 * HOUR_MS), to: new Date(Date.now() + HOUR_MS) };
  const story = await findStory({ db }, { phone: '77050000030' as never }, range);
  assert.equal(story.isCut, true);
  assert.equal(story.events.filter(({ kind }) => kind === 'send_refused').length, 200);
  // 20,000 messages and as many calls are stored; 200 of each are about this phone.
  assert.ok(largest.rows <= 400, `${largest.rows} rows were read`);
});
