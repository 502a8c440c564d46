import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, integrator, openLink, refusal } from './integrator.ts';
import { useServer } from './started-server.ts';

const { running, zhiber } = useServer(async () => {
  const { company_id } = await zhiber('company', 'create', '--name', 'Интегратор');
  company = String(company_id);
  await zhiber('topup', '--company', company, '--amount', '5000');
  free = await withNewKey('--test');
  live = await withNewKey();
});

let company: string;
let free: ReturnType<typeof integrator>;
let live: ReturnType<typeof integrator>;

const withNewKey = async (...options: string[]) => {
  const created = await zhiber('key', 'create', '--company', company, '--name', 'ключ', ...options);
  return integrator(running().facts.urls.site, String(created.key));
};

test('the first start gives the keys of a demo company that work at once', async () => {
  const { keys, urls, channels } = running().facts;
  assert.equal(channels, 'sandbox');
  const demo = integrator(urls.site, keys?.test ?? '');
  assert.equal((await demo.send('+77000000000')).status, 200);
  assert.equal((await demo.verify('+77000000000', '000000')).status, 200);
});

test('a code is sent, read from the phone and verified, once', async () => {
  const sent = await live.send('8 (701) 100-00-01', { purpose: 'login' });
  assert.deepEqual(
    [sent.status, sent.body.channel, sent.body.cost, sent.body.balance, sent.body.expires_in],
    [200, 'whatsapp', 3, 6_047, 300],
  );
  const phone = '+77011000001';
  const code = await live.codeOn(phone);
  assert.match(code, /^\d{6}$/);
  const wrong = code === '123456' ? '654321' : '123456';
  const purpose = 'login';
  const refused = await live.verify(phone, wrong, { purpose });
  assert.deepEqual([...refusal(refused), refused.body.attempts_left], [422, 'invalid_code', 4]);
  assert.deepEqual(refusal(await live.verify(phone, code)), [422, 'code_not_found']);
  assert.equal((await live.verify(phone, code, { purpose })).status, 200);
  const again = await live.verify(phone, code, { purpose });
  assert.deepEqual(refusal(again), [422, 'code_already_used']);
});

test('a phone gets one code a minute, whatever key and purpose', async () => {
  assert.equal((await live.send('+77011000002')).status, 200);
  const second = await live.send('+77011000002', { purpose: 'other', channel: 'sms' });
  assert.deepEqual(refusal(second), [429, 'send_rate_limited']);
  assert(Number(second.body.retry_after) > 0 && Number(second.body.retry_after) <= 60);
});

test('the same Idempotency-Key gives the same answer and sends nothing twice', async () => {
  const header = { 'idempotency-key': 'order-1' };
  const first = await live.send('+77011000003', {}, header);
  const second = await live.send('+77011000003', {}, header);
  assert.deepEqual(second.body, first.body);
  assert.equal(second.headers.get('idempotent-replayed'), 'true');
  assert.equal((await live.inbox('+77011000003')).length, 1);
  const other = await live.send('+77011000009', {}, header);
  assert.deepEqual(refusal(other), [422, 'idempotency_key_reused']);
});

test('a client that disconnects while its code is being sent still gets it, once', async () => {
  // Four seconds: WhatsApp hangs, then Telegram answers.
  const phone = '+77000000007';
  const header = { 'idempotency-key': 'disconnected' };
  const { key } = await zhiber('key', 'create', '--company', company, '--name', 'ключ', '--test');
  const connect = (connection?: AbortSignal) =>
    integrator(running().facts.urls.site, String(key), connection);
  const connections = [new AbortController(), new AbortController()];
  const calls = connections.map(({ signal }) => connect(signal).send(phone, {}, header));
  // Of two equal requests one is under way, and the other is told so at once.
  const told = await Promise.race(calls.map(async (call, at) => ({ at, ...(await call) })));
  assert.deepEqual(refusal(told), [409, 'request_in_progress']);
  connections[1 - told.at]?.abort();
  await assert.rejects(Promise.all(calls), { name: 'AbortError' });

  const client = connect();
  const code = await client.codeOn(phone);
  const again = () => client.send(phone, {}, header);
  const recorded = await eventually(again, ({ status }) => status !== 409);
  assert.equal(recorded.headers.get('idempotent-replayed'), 'true');
  assert.equal((await client.inbox(phone)).length, 1);
  assert.equal((await client.verify(phone, code)).status, 200);
});

test('a link is sent with the code and redirects to its target', async () => {
  const target = 'https://example.kz/order/42?a=1&b=2';
  const sent = await live.send('+77011000004', { link: target });
  const shortUrl = String(sent.body.short_url);
  const [message] = await live.inbox('+77011000004', { wait: 10 });
  assert.equal(message?.link, shortUrl);
  assert(message?.text.includes(shortUrl) && message.text.includes(message.code ?? '-'));
  for (const method of ['GET', 'HEAD']) {
    const opened = await openLink(shortUrl, method);
    assert.equal(opened.status, 302);
    assert.equal(opened.headers.get('location'), target);
    assert.equal(opened.headers.get('cache-control'), 'no-store');
    assert.equal(opened.headers.get('referrer-policy'), 'no-referrer');
  }
});

test('a link is shortened under a generated or a chosen alias', async () => {
  const url = 'https://example.kz/spring';
  const created = await free.call('/links/shorten', { url });
  assert.match(String(created.body.short_url), /\/s\/[A-Za-z2-9]{8}$/);
  const named = await free.call('/links/shorten', { url, alias: 'Spring-Sale' });
  const again = await free.call('/links/shorten', { url, alias: 'spring-sale' });
  assert.equal(again.status, 200, 'the same alias and url again is the same link');
  const taken = await live.call('/links/shorten', { url: `${url}/2`, alias: 'SPRING-SALE' });
  assert.deepEqual(refusal(taken), [422, 'alias_taken']);
  for (const answer of [created, named, again]) {
    const opened = await openLink(String(answer.body.short_url));
    assert.deepEqual([opened.status, opened.headers.get('location')], [302, url]);
  }
  const bad = await free.call('/links/shorten', { url: 'javascript:alert(1)' });
  assert.deepEqual(refusal(bad), [422, 'invalid_url']);
});

test('an expired or disabled link answers 410, an unknown one 404, with a page for people', async () => {
  const url = 'https://example.kz/brief';
  const brief = await free.call('/links/shorten', { url, alias: 'brief', expires_in: 1 });
  assert.equal(brief.body.expires_in, 1);
  const off = await free.call('/links/shorten', { url, alias: 'switched-off' });
  assert.equal((await openLink(String(off.body.short_url))).status, 302);
  await zhiber('link', 'disable', '--company', company, 'switched-off');
  for (const { body } of [brief, off]) {
    const open = () => openLink(String(body.short_url));
    const ended = await eventually(open, ({ status }) => status === 410);
    assert.match(ended.headers.get('content-type') ?? '', /^text\/html/);
  }
  assert.equal((await openLink(`${running().facts.urls.site}/s/never-was`)).status, 404);
  const { keys, urls } = running().facts;
  const otherCompany = integrator(urls.site, keys?.live ?? '');
  for (const alias of ['brief', 'switched-off']) {
    const reused = await otherCompany.call('/links/shorten', { url, alias });
    assert.deepEqual(refusal(reused), [422, 'alias_taken'], 'no name passes to another company');
  }
});

test('a link is sent to a phone with the text of the company', async () => {
  const request = { phone: '+77011000005', url: 'https://example.kz/o', channel: 'sms' };
  const sent = await live.call('/links/send', { ...request, text: 'Заказ готов: :link' });
  assert.deepEqual([sent.status, sent.body.channel, sent.body.cost], [200, 'sms', 8]);
  assert.equal(sent.body.expires_in, 30 * 24 * 3600);
  const [message] = await live.inbox('+77011000005', { wait: 10 });
  assert.equal(message?.text, `Заказ готов: ${sent.body.short_url}`);
  assert.deepEqual([message?.kind, message?.code], ['link', null]);
  assert.equal((await openLink(String(sent.body.short_url))).status, 302);
  const { channel: _channel, ...without } = request;
  assert.deepEqual(refusal(await live.call('/links/send', without)), [422, 'validation_error']);
  const long = await live.call('/links/send', { ...request, text: 'ы'.repeat(200) });
  assert.deepEqual(refusal(long), [422, 'text_too_long']);
});

test('a message to a linked group is free, an unknown group is not found', async () => {
  const group = ['--channel', 'telegram', '--name', 'Дежурные', '--chat', '-100777'];
  await zhiber('group', 'add', '--company', company, ...group);
  for (const name of ['Дежурные', '-100777']) {
    const sent = await live.call('/group/send', { group: name, text: 'Новая заявка' });
    assert.deepEqual([sent.status, sent.body.channel, sent.body.cost], [200, 'telegram', 0]);
  }
  const withLink = { group: 'Дежурные', text: 'См. :link', link: 'https://example.kz/g' };
  const linked = await live.call('/group/send', withLink);
  assert.equal((await openLink(String(linked.body.short_url))).status, 302);
  const unknown = await live.call('/group/send', { group: 'Бухгалтерия', text: 'Привет' });
  assert.deepEqual(refusal(unknown), [422, 'group_not_found']);
});

test('a key applies its own domain, channels, code settings and brand', async () => {
  const bound = await withNewKey('--domain', 'shop.kz', '--channels', 'sms');
  const phone = '+77011000006';
  assert.deepEqual(refusal(await bound.send(phone)), [403, 'origin_required']);
  const foreign = await bound.send(phone, {}, { origin: 'https://evil-shop.kz' });
  assert.deepEqual(refusal(foreign), [403, 'origin_not_allowed']);
  const origin = { origin: 'https://www.shop.kz:8443' };
  const disabled = await bound.send(phone, { channel: 'telegram' }, origin);
  assert.deepEqual(refusal(disabled), [422, 'channel_disabled']);
  assert.equal((await bound.send(phone, {}, origin)).body.channel, 'sms');

  const own = await withNewKey('--code-length', '4', '--code-ttl', '60', '--brand', 'Арман');
  const sent = await own.send('+77011000007');
  assert.equal(sent.body.expires_in, 60);
  const [message] = await own.inbox('+77011000007', { wait: 10 });
  assert.match(message?.code ?? '', /^\d{4}$/);
  assert.match(message?.text ?? '', /Арман/);
});

test('health and the OpenAPI description need no key', async () => {
  const { api } = running().facts.urls;
  for (const method of ['GET', 'POST']) {
    const health = await fetch(`${api}/health`, { method });
    const body = (await health.json()) as Record<string, unknown>;
    assert.deepEqual([health.status, body.success, body.status], [200, true, 'ok']);
  }
  const described = (await (await fetch(`${api}/openapi.json`)).json()) as { openapi: string };
  assert.match(described.openapi, /^3\.1/);
  const invalid = integrator(running().facts.urls.site, 'zk_live_nonsense');
  assert.deepEqual(refusal(await invalid.send('+77011000008')), [401, 'invalid_api_key']);
});
