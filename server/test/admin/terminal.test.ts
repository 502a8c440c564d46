/** The operator's commands on the database of a running service, in this process. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, type TestContext, test } from 'node:test';
import { acceptInvitation, readOffer } from '../../src/company/team.ts';
import { type CompanyId, newId, type PersonId } from '../../src/ids.ts';
import { insertOrder } from '../../src/topups/order-store.ts';
import { openMailServer } from '../cabinet/mail-server.ts';
import { advanceProcessClock, until, useService } from '../harness.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { createTerminal } from '../terminal.ts';

const service = useService();
const { run, runJson } = createTerminal(service);

const auditOf = (companyId: CompanyId) =>
  service.sql<{
    action: string;
    object: string;
    after: Record<string, unknown>;
    person_name: null;
  }>(
    'select action, object, after, person_name from audit_record where company_id = $1 order by id',
    [companyId],
  );

describe('company', () => {
  test('create --owner-email makes an invitation that lets its owner in, once', async (t) => {
    const made = await runJson(t, 'company create --name Magnum --owner-email Boss@Example.kz', {
      PUBLIC_URL: 'https://zhiber.example',
    });
    const { company_id: companyId, invitation, balance, mailed } = made.json;
    assert.deepEqual([made.code, balance, mailed], [0, 50, false]);
    const [, token = ''] =
      /^https:\/\/zhiber\.example\/invite#(.+)$/.exec(String(invitation)) ?? [];
    assert.equal((await readOffer(service.ctx, token)).role, 'owner');

    const person = { id: newId(Date.now()) as unknown as PersonId, name: 'Хозяин' };
    await service.sql('insert into person (id, name, email) values ($1, $2, $3)', [
      person.id,
      person.name,
      'boss@example.kz',
    ]);
    assert.equal(await acceptInvitation(service.ctx, { person }, token), companyId);
    await assert.rejects(acceptInvitation(service.ctx, { person }, token), {
      code: 'invitation_ended',
    });
    const events = await auditOf(companyId as CompanyId);
    assert.deepEqual(
      events.map(({ action, object }) => [action, object]),
      [
        ['company.created', 'Magnum'],
        ['member.invited', 'boss@example.kz'],
        ['member.joined', 'Хозяин'],
      ],
    );

    const shown = await runJson(t, `company show ${companyId}`);
    assert.partialDeepStrictEqual(shown.json, {
      company_id: companyId,
      name: 'Magnum',
      available: 50,
      suspended: false,
      members: [{ name: 'Хозяин', role: 'owner', contact: 'boss@example.kz' }],
    });
    const { out } = await run(t, 'company list', { LANG: 'ru_RU.UTF-8' });
    assert.match(
      out,
      new RegExp(`^${companyId}  Magnum  доступно 50 ₸, ключей: 0, людей: 1$`, 'm'),
    );
  });

  test('create --owner-email mails the link where mail is configured', async (t) => {
    const mail = await openMailServer();
    t.after(() => mail.close());
    const settings = { SMTP_URL: mail.url, MAIL_FROM: 'zhiber@example.kz' };
    const made = await runJson(t, 'company create --name Post --owner-email a@b.kz', settings);
    assert.equal(made.json.mailed, true);
    await until('the letter arrives', async () => mail.letters.length === 1);
    const text = JSON.stringify(mail.letters[0]);
    assert(text.includes('a@b.kz'), text);
  });

  test('create --owner-email says when the mail server did not take the letter', async (t) => {
    const settings = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'zhiber@example.kz' };
    const made = await runJson(t, 'company create --name Post --owner-email a@b.kz', settings);
    assert.deepEqual([made.code, made.json.mailed], [0, false]);
    const wrong = await run(t, 'company create --name Post --owner-email a@b');
    assert.deepEqual([wrong.code, /"a@b" is not an e-mail/.test(wrong.err)], [2, true]);
  });

  test('key list and balance show a company, never a secret', async (t) => {
    const key = await service.key({ balance: 70 });
    await service.sql('update account set held = 8 where company_id = $1', [key.companyId]);
    const { json } = await runJson(t, `key list --company ${key.companyId}`);
    assert.partialDeepStrictEqual(json, { keys: [{ key_id: key.keyId, mode: 'live' }] });
    assert.equal(JSON.stringify(json).includes(key.key), false);
    assert.deepEqual((await runJson(t, `balance --company ${key.companyId}`)).json, {
      company_id: key.companyId,
      balance: 70,
      held: 8,
      available: 62,
      debt: 0,
    });
    assert.equal(
      (await run(t, `balance --company ${key.companyId}`)).out,
      '62 ₸ available; the balance is 70 ₸, held 8 ₸.',
    );
    await service.sql('update account set held = 0 where company_id = $1', [key.companyId]);
  });
});

test('operator: create, list, reset and remove', async (t) => {
  const at = { PUBLIC_URL: 'https://zhiber.example' };
  const who = '--email Aigul@example.kz';
  const link = /^ {2}https:\/\/zhiber\.example\/admin\/welcome#[\w-]{43}$/m;
  assert.equal((await runJson(t, 'operator create --email berik@example.kz')).code, 0);
  const [berik] = (await runJson(t, 'operator list')).json.operators as { name: string }[];
  assert.equal(berik?.name, 'berik');
  assert.equal((await run(t, 'operator remove --email berik@example.kz')).code, 0);
  const unknown = await run(t, `operator reset ${who}`);
  assert.deepEqual([unknown.code, unknown.err.includes('is no operator')], [1, true]);
  const made = await run(t, `operator create ${who} --name Aigul`, at);
  assert.match(
    made.out,
    /^aigul@example\.kz is an operator once .* until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d in Almaty:/,
  );
  assert.match(made.out, link);
  const listed = { email: 'aigul@example.kz', name: 'Aigul', has_joined: false };
  assert.partialDeepStrictEqual((await runJson(t, 'operator list')).json, { operators: [listed] });
  const reset = await run(t, `operator reset ${who}`, at);
  assert.equal(reset.code, 0);
  assert.match(reset.out, link);
  assert.notEqual(link.exec(reset.out)?.[0], link.exec(made.out)?.[0]);
  assert.equal((await run(t, `operator remove ${who}`)).code, 0);
  assert.equal((await run(t, `operator remove ${who}`)).code, 1);
  assert.deepEqual((await runJson(t, 'operator list')).json, { operators: [] });
});

describe('price', () => {
  test('set for a company holds at once, is audited, and ends with "common"', async (t) => {
    const key = await service.key({ balance: 100 });
    const { companyId } = key;
    const set = await run(t, `price set sms 5 --company ${companyId}`);
    assert.equal(set.code, 0, set.err);
    assert.match(
      set.out,
      /^sms costs 5 ₸ for company \d+ from \d{4}-\d\d-\d\d .* on\.\nIt was 8 ₸\./,
    );
    advanceProcessClock();
    const send = async () =>
      (await service.call('/otp/send', { phone: service.phone(), channel: 'sms' }, key)).body.cost;
    assert.equal(await send(), 5);
    const listed = await runJson(t, `price list --company ${companyId}`);
    assert.partialDeepStrictEqual(listed.json, {
      own: ['sms'],
      prices: { whatsapp: 3, sms: 5 },
      history: [{ channel: 'sms', tokens: 5, state: 'holds', set_by: 'terminal' }],
    });
    await runJson(t, `price set sms common --company ${companyId}`);
    advanceProcessClock();
    assert.equal(await send(), 8);
    const events = await auditOf(companyId);
    assert.deepEqual(
      events.map(({ action, object, after: { tokens } }) => [action, object, tokens]),
      [
        ['price.set', 'sms', 5],
        ['price.set', 'sms', null],
      ],
    );
  });

  test('set --from is an Almaty midnight; it can be withdrawn, and not twice', async (t) => {
    const { json } = await runJson(t, 'price set group 7 --from 2099-12-01');
    assert.equal(json.from, '2099-11-30T19:00:00.000Z');
    const { out } = await run(t, 'price list', { LANG: 'ru_RU.UTF-8' });
    assert.match(
      out,
      /^ {2}\d+ {2}2099-12-01 00:00:00 {2}group {2}7 ₸ {2}задана заранее {2}задал terminal$/m,
    );
    assert.equal((await runJson(t, `price withdraw ${json.id}`)).code, 0);
    const again = await runJson(t, `price withdraw ${json.id}`);
    assert.deepEqual(
      [again.code, again.json.error],
      [1, `Price ${json.id} has been withdrawn before.`],
    );
    const acts = await service.sql<{ action: string; object: string; tokens: number | null }>(
      `select action, object, (coalesce(after, before)->>'tokens')::integer as tokens
       from operator_audit where action like 'price.%' order by id`,
    );
    assert.deepEqual(acts, [
      { action: 'price.set', object: 'group', tokens: 7 },
      { action: 'price.withdrawn', object: 'group', tokens: 7 },
    ]);
    const past = await runJson(t, 'price set group 7 --from 2020-01-01');
    assert.deepEqual([past.code, /past/.test(String(past.json.error))], [1, true]);
  });

  const wrong: [string, RegExp][] = [
    ['price set sms common', /give --company ID/],
    ['price set sms 1 --from tomorrow', /--from should be a day/],
    ['price set sms 1 --from 2026-02-30', /--from should be a day/],
    ['price set sms 1 --from 25:00', /--from should be a day/],
    ['price set sms -1', /-1/],
    ['find 12345', /no phone, message id or request id/],
    ['find +77010000000 --since 15:00 --until 14:00', /--since should be before --until/],
    ['sender add Магнум', /3 to 11 Latin letters/],
    ['payment list --state gone', /one of pending/],
    ['payment confirm ZB-1 --amount 5 --bank-reference 1 --paid-at 2099-01-01', /in the future/],
  ];
  for (const [line, pattern] of wrong) {
    test(`"${line}" exits with 2`, async (t) => {
      const { code, err } = await run(t, line);
      assert.equal(code, 2);
      assert.match(err, pattern);
    });
  }
});

describe('payment', () => {
  let companyId: CompanyId;
  const reference = 'ZB-TEST22';
  const order = (orderedBy: CompanyId, orderReference: string) =>
    insertOrder(service.ctx.db, {
      id: newId(Date.now()),
      company_id: orderedBy,
      reference: orderReference,
      provider: 'transfer',
      amount: 5_000,
      payer_name: 'ТОО Плательщик',
      payer_business_id: null,
      provider_id: null,
      qr: null,
      pay_url: null,
      created_by: null,
      expires_at: new Date(Date.now() + 3_600_000),
      next_check_at: null,
    });
  before(async () => {
    companyId = await service.company(0);
    await order(companyId, reference);
  });

  test('confirm credits an order once for each bank reference', async (t) => {
    const line = `payment confirm ${reference.toLowerCase()} --amount 5000 --bank-reference KZ-1`;
    const first = await runJson(t, line);
    const { receipt } = first.json;
    assert.deepEqual(first, {
      code: 0,
      json: { reference, company_id: companyId, amount: 5000, bonus: 1000, balance: 6000, receipt },
    });
    assert.deepEqual((await runJson(t, line)).json, {
      reference,
      company_id: companyId,
      already: true,
      receipt,
    });
    const other = await runJson(t, line.replace('5000', '7000'));
    assert.deepEqual([other.code, /with 5000 ₸/.test(String(other.json.error))], [1, true]);
    assert.equal((await service.balance(companyId)).balance, 6000);
    const missing = await runJson(t, 'payment confirm ZB-NOTHING --amount 5 --bank-reference x');
    assert.deepEqual([missing.code, missing.json.error], [1, 'There is no order ZB-NOTHING.']);
  });

  test('confirm takes the day of the payment, and no document that has paid another order', async (t) => {
    const other = await service.company(0);
    await order(other, 'ZB-TEST33');
    await order(other, 'ZB-TEST44');
    const confirm = (paid: string) =>
      runJson(t, `payment confirm ${paid} --amount 5000 --bank-reference 77 --paid-at 2026-11-02`);
    assert.equal((await confirm('ZB-TEST33')).code, 0);
    const again = await confirm('ZB-TEST44');
    assert.deepEqual([again.code, /ZB-TEST33/.test(String(again.json.error))], [1, true]);
    const rows = await service.sql('select paid_at from payment where company_id = $1', [other]);
    assert.deepEqual(rows, [{ paid_at: new Date('2026-11-01T19:00:00Z') }]);
  });

  test('topup with a reference that has credited another company is refused', async (t) => {
    const [first, second] = [await service.company(0), await service.company(0)];
    const topup = (company: CompanyId) =>
      runJson(t, `topup --company ${company} --amount 1000 --reference BANK-9`);
    assert.equal((await topup(first)).code, 0);
    const taken = await topup(second);
    assert.equal(taken.code, 1);
    assert.match(String(taken.json.error), new RegExp(`company ${first}`));
    assert.equal((await service.balance(second)).balance, 0);
  });

  test('refund takes the tokens back, at most what is left, and list shows it', async (t) => {
    const { json } = await runJson(t, `payment list --company ${companyId} --state paid`);
    const [order] = json.payments as { payments: { receipt: number }[] }[];
    const receipt = order?.payments[0]?.receipt;
    const refund = (amount: number) =>
      runJson(t, `payment refund ${receipt} --amount ${amount} --reason ошибка`);
    assert.partialDeepStrictEqual(await refund(1500), {
      code: 0,
      json: { company_id: companyId, receipt, amount: 1500, bonus: 0, taken: 1500, owed: 0 },
    });
    const tooMuch = await refund(4000);
    assert.equal(tooMuch.code, 1);
    assert.match(String(tooMuch.json.error), /Only 3500 ₸/);
    assert.equal((await service.balance(companyId)).balance, 4500);
    const { out } = await run(t, `payment list --company ${companyId}`);
    assert.match(
      out,
      /ZB-TEST22 .* 5000 ₸ {2}transfer {2}paid {2}receipt \d+: 5000 ₸, 1500 ₸ refunded/,
    );
    const manual = await runJson(t, `payment list --company ${companyId} --state manual`);
    assert.deepEqual(manual.json, { payments: [] });
    const gone = await runJson(t, 'payment refund 999999 --amount 1 --reason a');
    assert.deepEqual([gone.code, /receipt 999999/.test(String(gone.json.error))], [1, true]);
    const events = await auditOf(companyId);
    assert.deepEqual(
      events.map(({ action }) => action),
      ['balance.topped_up', 'balance.refunded'],
    );
  });
});

test('sender: add, set, list, clear and remove', async (t) => {
  const companyId = await service.company();
  assert.equal((await run(t, ['sender', 'add', 'My Shop', '--note', 'Kcell'])).code, 0);
  assert.match((await run(t, ['sender', 'add', 'My Shop'])).err, /registered already/);
  const set = await run(t, ['sender', 'set', 'My Shop', '--company', String(companyId)]);
  assert.equal(set.out, `SMS of company ${companyId} come from My Shop.`);
  const unknown = await run(t, `sender set Other --company ${companyId}`);
  assert.deepEqual([unknown.code, /not registered/.test(unknown.err)], [1, true]);
  const { json } = await runJson(t, 'sender list');
  assert.partialDeepStrictEqual(json, {
    senders: [{ name: 'My Shop', note: 'Kcell', companies: [companyId] }],
  });
  assert.match((await run(t, ['sender', 'remove', 'My Shop'])).err, /a company uses it/);
  assert.equal((await run(t, `sender clear --company ${companyId}`)).code, 0);
  assert.equal((await run(t, ['sender', 'remove', 'My Shop'])).code, 0);
  const acts = await service.sql(
    `select action, person_name from operator_audit where object = 'My Shop' order by id`,
  );
  assert.deepEqual(acts, [
    { action: 'sender.registered', person_name: null },
    { action: 'sender.removed', person_name: null },
  ]);
});

describe('find', () => {
  test('tells the story of a phone in any spelling, of a message and of a request', async (t) => {
    const key = await service.key({ balance: 3 });
    const phone = service.phone();
    const sent = await service.call('/otp/send', { phone, channel: 'whatsapp' }, key);
    const told = await run(t, [
      'find',
      `8 (${phone.slice(2, 5)}) ${phone.slice(5)}`,
      '--since',
      '0:00',
    ]);
    assert.equal(told.code, 0);
    assert.match(
      told.out,
      /^Тест: .*\n\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}Тест {2}Request accepted {2}/,
    );
    const byId = await runJson(t, `find ${sent.body.message_id}`);
    const byRequest = await runJson(t, `find ${sent.headers['x-request-id']}`);
    // The receipt may come between the two searches, so what they conclude may differ.
    for (const { json } of [byId, byRequest]) {
      const [first] = json.events as Record<string, unknown>[];
      assert.partialDeepStrictEqual(first, {
        event: 'accepted',
        company_id: key.companyId,
        message_id: sent.body.message_id,
      });
    }
    const russian = await run(t, `find ${sent.body.message_id}`, { LANG: 'ru' });
    assert.match(russian.out, /Запрос принят/);
  });

  test('exits with 3 when nothing is found', async (t) => {
    const { code, out } = await run(t, 'find +77479999999 --since 0:00');
    assert.equal(code, 3);
    assert.match(out, /^Nobody sent anything to this number/);
  });
});

describe('ported import', () => {
  const importFile = async (t: TestContext, text: string, options = '') => {
    const file = path.join(createTemporaryFolder('ported'), 'numbers.csv');
    writeFileSync(file, text);
    t.after(() => rmSync(path.dirname(file), { recursive: true }));
    return await runJson(t, `ported import ${file} ${options}`.trim());
  };
  const stored = () =>
    service.sql<{ phone: string; operator: string }>(
      'select phone::text as phone, operator from ported_number order by phone',
    );

  test('stores the operators of numbers, the last line of a number, and --replace alone', async (t) => {
    const first = await importFile(
      t,
      'phone;operator\n77011234567;beeline\n\n+7 705 123 45 67;Kcell\n77011234567;tele2\n',
    );
    assert.deepEqual([first.code, first.json.numbers], [0, 2]);
    assert.deepEqual(await stored(), [
      { phone: '77011234567', operator: 'tele2' },
      { phone: '77051234567', operator: 'kcell' },
    ]);
    await importFile(t, '77051234567,beeline\n');
    assert.deepEqual(await stored(), [
      { phone: '77011234567', operator: 'tele2' },
      { phone: '77051234567', operator: 'beeline' },
    ]);
    await importFile(t, '77077654321,kcell\n', '--replace');
    assert.deepEqual(await stored(), [{ phone: '77077654321', operator: 'kcell' }]);
  });

  test('counts and stores each number of a long list once', async (t) => {
    const lines = Array.from({ length: 5_002 }, (_, n) => `7705${1_000_000 + n},tele2`);
    const { json } = await importFile(t, lines.join('\n'), '--replace');
    assert.equal(json.numbers, 5_002);
    assert.equal((await stored()).length, 5_002);
    await importFile(t, '77077654321,kcell', '--replace');
  });

  test('stores nothing of a file with a wrong line, or that is not there', async (t) => {
    const before = await stored();
    const wrong = await importFile(t, '77011234567,beeline\n77011234568,megafon\n', '--replace');
    assert.equal(wrong.code, 1);
    assert.match(JSON.stringify(wrong.json), /Line 2 should be a phone and an operator/);
    const missing = await runJson(t, 'ported import /nowhere/numbers.csv');
    assert.equal(missing.code, 1);
    assert.match(JSON.stringify(missing.json), /ENOENT/);
    assert.deepEqual(await stored(), before);
  });
});
