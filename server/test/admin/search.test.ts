/** "Why did this client get no code?": one search over all companies, and its record. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { ADMIN_AUDIT_ENDPOINTS as A } from '@zhiber/contract/admin/audit.ts';
import { ADMIN_SEARCH_ENDPOINTS as E } from '@zhiber/contract/admin/search.ts';
import { scriptedChannels } from '../delivery/scripted-channel.ts';
import { useService } from '../harness.ts';
import { createAdminClient, type OperatorWithApp } from './admin-client.ts';

const logged: string[] = [];
const channels = scriptedChannels();
const service = useService({
  providers: channels,
  log: { write: (line: string) => void logged.push(line) },
});
const { as, operator } = createAdminClient(service);
let who: OperatorWithApp;
beforeEach(async () => {
  who ??= await operator();
});

const search = (text: string, more: object = {}) =>
  as(who).call(E.findStory, { body: { search: text, ...more } });
const searches = async () =>
  (await as(who).call(A.audit, { query: { action: 'client.searched' } })).ok().rows;

test('the story of a phone is told over all companies, in the language of the reader, without a code', async () => {
  const phone = service.phone();
  const codes: string[] = [];
  for (const name of ['Magnum', 'Chocofood']) {
    const key = await service.key({ isTest: false, balance: 100 });
    await service.sql('update company set name = $2 where id = $1', [key.companyId, name]);
    await service.call('/otp/send', { phone, channel: 'whatsapp' }, key);
    const sent = channels.whatsapp.sentTo(phone).at(-1);
    assert(sent?.code !== undefined);
    codes.push(sent.code);
  }
  const ru = (await search(phone)).ok();
  assert.equal(ru.by, 'phone');
  assert.deepEqual(
    new Set(ru.steps.map(({ company }) => company.name)),
    new Set(['Magnum', 'Chocofood']),
  );
  assert.match(ru.steps[0]?.text ?? '', /^Запрос принят/);
  const kk = (await search(phone, { language: 'kk' })).ok();
  assert.match(kk.steps[0]?.text ?? '', /^Сұрау қабылданды/);
  const en = await search(phone, { language: 'en' });
  assert.match(en.ok().steps[0]?.text ?? '', /^Request accepted/);
  for (const code of codes) assert(!en.text.includes(code), 'a code is in the answer');
  const bySteps = en.ok().steps.find((step) => step.message_id !== null);
  const byMessage = (await search(bySteps?.message_id as string)).ok();
  assert.deepEqual([byMessage.by, byMessage.verdict], ['message', ru.verdict]);
});

test('every search is recorded with the phone masked, also one that finds nothing', async () => {
  const before = (await searches()).length;
  const phone = '+77470001234';
  const { verdict, steps } = (await search(phone)).ok();
  assert.deepEqual([verdict, steps], ['nothing_sent', []]);
  (await search('req_unknown')).ok();
  const rows = await searches();
  assert.equal(rows.length, before + 2);
  assert.deepEqual(
    rows.slice(0, 2).map(({ object }) => object),
    ['req_unknown', '+7747***1234'],
  );
  const stored = await service.sql<{ text: string }>(
    'select row_to_json(a)::text as text from operator_audit a',
  );
  assert(!stored.some(({ text }) => text.includes('77470001234')));
  assert(!logged.some((line) => line.includes('77470001234')));
});

test('what cannot be searched for is refused and not recorded', async () => {
  const before = (await searches()).length;
  (await search('два слова')).refused('validation_error');
  (await search('12345')).refused('validation_error');
  const now = Date.now();
  const at = (days: number) => new Date(now + days * 86_400_000).toISOString();
  (await search('+77470001234', { from: at(0), to: at(-1) })).refused('validation_error');
  (await search('+77470001234', { from: at(-32), to: at(0) })).refused('validation_error');
  (await search('+77470001234', { from: 'утром' })).refused('validation_error');
  assert.equal((await searches()).length, before);
});

test('a range of time leaves the rest out', async () => {
  const phone = service.phone();
  const key = await service.key({ isTest: false, balance: 100 });
  await service.call('/otp/send', { phone }, key);
  const hour = 3_600_000;
  const past = {
    from: new Date(Date.now() - 3 * hour).toISOString(),
    to: new Date(Date.now() - hour).toISOString(),
  };
  assert.equal((await search(phone, past)).ok().verdict, 'nothing_sent');
  const around = { from: past.to, to: new Date(Date.now() + hour).toISOString() };
  assert.notEqual((await search(phone, around)).ok().verdict, 'nothing_sent');
});
