import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { ALERT_ENDPOINTS } from '@zhiber/contract/cabinet/alerts.ts';
import { AUDIT_ENDPOINTS } from '@zhiber/contract/cabinet/company.ts';
import { announceLowBalances } from '../../src/alerts/announce-low-balances.ts';
import { insertGroup } from '../../src/groups/group-store.ts';
import type { CompanyId } from '../../src/ids.ts';
import { runConcurrently, useService } from '../harness.ts';
import { createCabinetClient, type TestPerson } from './cabinet-client.ts';
import { lettersTo as lettersIn } from './inbox.ts';

const service = useService();
const { person, as } = createCabinetClient(service);
const { balanceAlert, changeBalanceAlert } = ALERT_ENDPOINTS;

type Settings = {
  threshold?: number | null;
  emails?: string[] | null;
  tells_members_in_telegram?: boolean;
  telegram_group_id?: number | null;
};
const set = (who: TestPerson, settings: Settings) =>
  as(who).call(changeBalanceAlert, {
    body: {
      threshold: 100,
      emails: null,
      tells_members_in_telegram: false,
      telegram_group_id: null,
      ...settings,
    },
  });
const read = async (who: TestPerson) => (await as(who).call(balanceAlert)).ok();

/** An owner with an address, whose company has 50 tenge. */
async function createOwner(email: string, companyId?: CompanyId) {
  const owner = await person({ role: 'owner', ...(companyId !== undefined && { companyId }) });
  await setEmail(owner, email);
  return { owner, companyId: owner.companyId as CompanyId };
}

const setEmail = ({ personId }: TestPerson, email: string) =>
  service.sql('update person set email = $2 where id = $1', [personId, email]);
const move = (companyId: CompanyId, amount: number) =>
  service.sql(`select post_entry($1, 'correction', $2, new_id())`, [companyId, amount]);
const announce = () => announceLowBalances(service.accounts);
const lettersTo = (address: string) => lettersIn(service, address).map(({ text }) => text);
const hoursPass = (hours: number) =>
  service.sql(
    `update balance_alert set announced_at = announced_at - make_interval(hours => $1),
       claimed_until = claimed_until - make_interval(hours => $1)`,
    [hours],
  );

beforeEach(() => service.sql('delete from balance_alert'));

describe('the settings', () => {
  test('are off until somebody turns them on, and a change is in the audit log', async () => {
    const { owner } = await createOwner('settings@shop.kz');
    const off = await read(owner);
    assert.equal(off.threshold, null);
    assert.deepEqual(off.member_emails, ['settings@shop.kz']);
    (await set(owner, { threshold: 500, emails: ['a@shop.kz', 'b@shop.kz', 'a@shop.kz'] })).ok();
    const on = await read(owner);
    assert.deepEqual([on.threshold, on.emails], [500, ['a@shop.kz', 'b@shop.kz']]);
    const { rows } = (await as(owner).call(AUDIT_ENDPOINTS.audit)).ok();
    assert.equal(rows[0]?.action, 'alert.changed');
    assert.equal(rows[0]?.after?.threshold, 500);
  });

  test('take no group of another company, and no text that is no address', async () => {
    const { owner } = await createOwner('group@shop.kz');
    const other = await service.company();
    const id = await insertGroup(service.ctx.db, {
      companyId: other,
      channel: 'telegram',
      name: 'Чужая',
      chatId: '-900',
    });
    (await set(owner, { telegram_group_id: Number(id) })).refused('not_found');
    (await set(owner, { emails: ['not an address'] })).refused('validation_error');
    (await set(owner, { threshold: 0 })).refused('validation_error');
  });

  test('are for people who see money', async () => {
    const { companyId } = await createOwner('roles@shop.kz');
    const developer = await person({ companyId, role: 'developer' });
    (await as(developer).call(balanceAlert)).refused('no_right');
    (await set(developer, {})).refused('no_right');
    const accountant = await person({ companyId, role: 'accountant' });
    (await set(accountant, { threshold: 70 })).ok();
    assert.equal((await read(accountant)).threshold, 70);
  });
});

describe('a low balance', () => {
  test('that cannot be announced keeps no other from it, and is announced later', async () => {
    const addresses = ['broken@shop.kz', 'next@shop.kz'];
    for (const address of addresses) {
      const { owner } = await createOwner(address);
      (await set(owner, { threshold: 100 })).ok();
    }
    const { mailer } = service.accounts;
    await announceLowBalances({
      ...service.accounts,
      mailer: {
        isOn: true,
        send(letter) {
          if (letter.to === 'broken@shop.kz') throw new Error('no such letter');
          mailer.send(letter);
        },
      },
    });
    const told = () => addresses.map((address) => lettersTo(address).length);
    assert.deepEqual(told(), [0, 1]);
    // Still leased.
    await announce();
    assert.deepEqual(told(), [0, 1]);
    await hoursPass(1);
    await announce();
    assert.deepEqual(told(), [1, 1]);
  });

  test('is announced once, and again only after it rose and fell, a day later', async () => {
    const { owner, companyId } = await createOwner('once@shop.kz');
    (await set(owner, { threshold: 40 })).ok();
    await move(companyId, -10);
    await announce();
    assert.deepEqual(lettersTo('once@shop.kz'), [], '40 is not below 40');

    await move(companyId, -1);
    for (let round = 0; round < 3; round++) await announce();
    const [letter, ...others] = lettersTo('once@shop.kz');
    assert.deepEqual(others, []);
    // No line of the letter ends between an amount and its sign.
    assert.match(String(letter), /осталось 39\u{a0}₸/u);
    assert.match(String(letter), /порога 40\u{a0}₸/u);
    assert.match(String(letter), /\/app\/balance/);
    assert((await read(owner)).announced_at !== null);

    await hoursPass(30);
    await announce();
    assert.equal(lettersTo('once@shop.kz').length, 1, 'it has not risen');

    await move(companyId, 1);
    await announce();
    await move(companyId, -5);
    await announce();
    assert.equal(lettersTo('once@shop.kz').length, 2, 'it rose to 40 and fell again');
  });

  test('that fell twice in a day is announced when the day has passed', async () => {
    const { owner, companyId } = await createOwner('day@shop.kz');
    (await set(owner, { threshold: 60 })).ok();
    await announce();
    await move(companyId, 100);
    await announce();
    await move(companyId, -100);
    await announce();
    assert.equal(lettersTo('day@shop.kz').length, 1);
    await hoursPass(23);
    await announce();
    assert.equal(lettersTo('day@shop.kz').length, 1);
    await hoursPass(2);
    await announce();
    assert.equal(lettersTo('day@shop.kz').length, 2);
  });

  test('is announced by one of many nodes', async () => {
    const { owner } = await createOwner('nodes@shop.kz');
    (await set(owner, { threshold: 60 })).ok();
    await runConcurrently(12, announce);
    assert.equal(lettersTo('nodes@shop.kz').length, 1);
  });

  test('is announced after the lease when a node dies with it', async () => {
    const { owner, companyId } = await createOwner('lease@shop.kz');
    (await set(owner, { threshold: 60 })).ok();
    await service.sql(
      `update balance_alert set claimed_until = clock_timestamp() + interval '5 minutes'
       where company_id = $1`,
      [companyId],
    );
    await announce();
    assert.equal(lettersTo('lease@shop.kz').length, 0);
    await hoursPass(1);
    await announce();
    assert.equal(lettersTo('lease@shop.kz').length, 1);
  });

  test('counts without holds, and as nothing while there is a debt', async () => {
    const { owner, companyId } = await createOwner('debt@shop.kz');
    (await set(owner, { threshold: 10 })).ok();
    await service.sql('update account set debt = 5 where company_id = $1', [companyId]);
    await announce();
    assert.equal(lettersTo('debt@shop.kz').length, 1);
    await service.sql('update account set debt = 0 where company_id = $1', [companyId]);
  });

  test('goes to the given addresses alone, in the language of the company', async () => {
    const { owner, companyId } = await createOwner('member@shop.kz');
    await service.sql(
      `update company set language = 'kk', name = E'Дүкен <b>\\n"1"' where id = $1`,
      [companyId],
    );
    (await set(owner, { threshold: 60, emails: ['buh@shop.kz', 'dir@shop.kz'] })).ok();
    await announce();
    assert.deepEqual(lettersTo('member@shop.kz'), []);
    for (const address of ['buh@shop.kz', 'dir@shop.kz']) {
      const [letter] = lettersTo(address);
      assert.match(String(letter), /«Дүкен <b> "1"» балансында 50\s₸ қалды/);
    }
  });

  test('goes by default to members who see money, and to no other', async () => {
    const { owner, companyId } = await createOwner('boss@shop.kz');
    const accountant = await person({ companyId, role: 'accountant' });
    await setEmail(accountant, 'accountant@shop.kz');
    const developer = await person({ companyId, role: 'developer' });
    await setEmail(developer, 'developer@shop.kz');
    (await set(owner, { threshold: 60 })).ok();
    await announce();
    assert.equal(lettersTo('boss@shop.kz').length, 1);
    assert.equal(lettersTo('accountant@shop.kz').length, 1);
    assert.equal(lettersTo('developer@shop.kz').length, 0);
  });

  test('goes to a Telegram group and to linked members, at no cost of the company', async () => {
    const { owner, companyId } = await createOwner('telegram@shop.kz');
    const phone = owner.phone;
    const id = await insertGroup(service.ctx.db, {
      companyId,
      channel: 'telegram',
      name: 'Касса',
      chatId: '-10077',
    });
    await service.sql(
      `insert into telegram_person (chat_id, phone, name) values ('77', $1, 'Руководитель')`,
      [phone.slice(1)],
    );
    const { telegram } = await read(owner);
    assert.deepEqual(telegram?.groups, [{ id: Number(id), name: 'Касса' }]);
    assert.deepEqual(telegram?.members, [`Человек ${phone}`]);

    const settings = { tells_members_in_telegram: true, telegram_group_id: Number(id) };
    (await set(owner, { threshold: 60, ...settings })).ok();
    await announce();
    const toMember = service.sandbox.phone.recent(500).filter((message) => message.phone === phone);
    assert.equal(toMember.length, 1);
    assert.match(String(toMember[0]?.text), /осталось 50\s₸/);
    const posts = await service.sql<{ body: string }>(
      `select body from message where kind = 'group' and recipient = $1`,
      [id],
    );
    assert.equal(posts.length, 1);
    assert.match(
      String(posts[0]?.body),
      /«Тест» осталось 50\s₸.*http:\/\/localhost:3000\/app\/balance/,
    );
    assert.deepEqual(await service.balance(companyId), { balance: 50, held: 0 });
  });

  test('a group that was unlinked is no group any more, and the letter still goes', async () => {
    const { owner, companyId } = await createOwner('gone@shop.kz');
    const id = await insertGroup(service.ctx.db, {
      companyId,
      channel: 'telegram',
      name: 'Была',
      chatId: '-10088',
    });
    (await set(owner, { threshold: 60, telegram_group_id: Number(id) })).ok();
    await service.sql('delete from messenger_group where id = $1', [id]);
    await announce();
    assert.equal(lettersTo('gone@shop.kz').length, 1);
    assert.equal((await read(owner)).telegram_group_id, null);
  });
});
