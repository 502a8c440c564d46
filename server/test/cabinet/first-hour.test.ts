/** What a newcomer brings along, and what is ready for them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMPANY_ENDPOINTS as C, TEAM_ENDPOINTS as T } from '@zhiber/contract/cabinet/company.ts';
import { KEY_ENDPOINTS as K } from '@zhiber/contract/cabinet/keys.ts';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import { useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';
import { readNewestCode } from './inbox.ts';

const service = useService();
const { as, call, person } = createCabinetClient(service);

/** Signs up by phone on pages in this language. */
async function signUp(lang: string) {
  const phone = service.phone();
  const headers = { cookie: `lang=${lang}` };
  const { request_token } = (await call(S.sendPhoneCode, { body: { phone }, headers })).ok();
  const text = service.sandbox.phone.recent(500).findLast((each) => each.phone === phone)?.text;
  const body = { phone, code: readNewestCode(service, phone), request_token };
  (await call(S.signInByPhone, { body, headers })).ok();
  return { text: text ?? '' };
}

test('the first test key is made with the company, works, and is shown once', async () => {
  const owner = await person();
  const made = (await as(owner).call(C.createCompany, { body: { name: 'Клиника' } })).ok();
  assert.match(made.test_key.key, /^zk_test_[0-9A-Za-z]{38}$/);
  const { keys } = (await as(owner).call(K.keys)).ok();
  assert.deepEqual(
    keys.map(({ id, mode, state, name }) => ({ id, mode, state, name })),
    [{ id: made.test_key.id, mode: 'test', state: 'active', name: 'Тестовый ключ' }],
  );
  const sent = await service.http.inject({
    method: 'POST',
    url: '/api/otp/send',
    headers: { authorization: `Bearer ${made.test_key.key}` },
    payload: { phone: '+77000000000' },
  });
  assert.equal(sent.statusCode, 200, sent.payload);
  const stored = await service.sql('select k::text as row from api_key k where id = $1', [
    made.test_key.id,
  ]);
  assert.doesNotMatch(JSON.stringify(stored), new RegExp(made.test_key.key));
});

test('the first key has the language and the signature of its company', async () => {
  const owner = await person();
  const body = { name: 'Клиника', language: 'kk', brand: 'Айболит' } as const;
  (await as(owner).call(C.createCompany, { body })).ok();
  const [key] = (await as(owner).call(K.keys)).ok().keys;
  assert.deepEqual([key?.language, key?.brand], ['kk', 'Айболит']);
});

test('a company that is refused leaves no key behind', async () => {
  const owner = await person();
  for (let i = 0; i < 10; i++)
    (await as(owner).call(C.createCompany, { body: { name: `Компания ${i}` } })).ok();
  const count = async () => (await service.sql('select from api_key')).length;
  const before = await count();
  const body = { name: 'Лишняя' };
  (await as(owner).call(C.createCompany, { body })).refused('too_many_companies');
  assert.equal(await count(), before);
});

test('the language at the door is that of the code and of the profile', async () => {
  const { text } = await signUp('kk');
  assert.match(text, /Оны ешкімге айтпаңыз/);
  assert.match((await signUp('ru')).text, /Никому его не сообщайте/);
  const languages = await service.sql<{ language: string }>(
    'select language from person where language is not null order by created_at',
  );
  assert.deepEqual(
    languages.map(({ language }) => language),
    ['kk', 'ru'],
  );
});

test('who signed up by phone says a name with the company, and is called so everywhere', async () => {
  const phone = service.phone();
  const asked = (await call(S.sendPhoneCode, { body: { phone } })).ok();
  const code = readNewestCode(service, phone);
  const browser = { cookie: '' };
  const body = { phone, code, request_token: asked.request_token };
  (await as(browser).call(S.signInByPhone, { body })).ok();
  assert.equal((await as(browser).call(S.session)).ok().person.has_name, false);

  const company = { name: 'Клиника', person_name: ' Айгуль Серик ' };
  (await as(browser).call(C.createCompany, { body: company })).ok();
  const { person: named } = (await as(browser).call(S.session)).ok();
  assert.deepEqual([named.name, named.has_name], ['Айгуль Серик', true]);
  const { members } = (await as(browser).call(T.team)).ok();
  assert.equal(members[0]?.name, 'Айгуль Серик');
});

test('an invitation says who would accept it, and takes the name of who has none', async () => {
  const owner = await person({ role: 'owner' });
  const { link } = (await as(owner).call(T.invite, { body: { role: 'developer' } })).ok();
  const token = new URL(link).hash.slice(1);
  const read = async (who: { cookie: string } | undefined) => {
    const request = { body: { token } };
    return (
      await (who ? as(who).call(T.readInvitation, request) : call(T.readInvitation, request))
    ).ok().signed_in;
  };
  assert.equal(await read(undefined), null);
  const colleague = await person();
  assert.deepEqual(await read(colleague), { name: `Человек ${colleague.phone}`, has_name: true });
  await service.sql("update person set name = '+7701***0000' where id = $1", [colleague.personId]);
  assert.deepEqual(await read(colleague), { name: '+7701***0000', has_name: false });

  const body = { token, name: 'Дамир' };
  (await as(colleague).call(T.acceptInvitation, { body })).ok();
  const { members } = (await as(owner).call(T.team)).ok();
  assert.deepEqual(members.map(({ name }) => name).slice(1), ['Дамир']);
});
