import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { ADMIN_AUDIT_ENDPOINTS as A } from '@zhiber/contract/admin/audit.ts';
import { ADMIN_COMPANY_ENDPOINTS as C } from '@zhiber/contract/admin/companies.ts';
import { AUDIT_ENDPOINTS } from '@zhiber/contract/cabinet/company.ts';
import { insertSenderName } from '../../src/company/sender-name-store.ts';
import { type CompanyId, newId } from '../../src/ids.ts';
import { openSystemCompany } from '../../src/installation/system-company.ts';
import { searchCompanies } from '../../src/operators/company-store.ts';
import { readCompanyTerms } from '../../src/operators/company-terms.ts';
import { createCabinetClient, type TestPerson } from '../cabinet/cabinet-client.ts';
import { useService } from '../harness.ts';
import { createAdminClient, type OperatorWithApp } from './admin-client.ts';

const service = useService();
const cabinet = createCabinetClient(service);
const { as, operator } = createAdminClient(service);

let who: OperatorWithApp;
const signIn = async () => {
  who ??= await operator();
};

const find = async (query: { search?: string; state?: 'active' | 'suspended' | 'owing' }) =>
  (await as(who).call(C.companies, { query })).ok().rows;
const idsOf = async (search: string) => (await find({ search })).map(({ id }) => id);
const read = async (id: CompanyId) => (await as(who).call(C.company, { params: { id } })).ok();
const named = async (name: string, businessId: string | null = null): Promise<CompanyId> => {
  const id = await service.company();
  await service.sql('update company set name = $2, business_id = $3 where id = $1', [
    id,
    name,
    businessId,
  ]);
  return id;
};
const logOf = async (owner: TestPerson) =>
  (await cabinet.as(owner).call(AUDIT_ENDPOINTS.audit)).ok().rows;
const actsOn = async (id: CompanyId) =>
  (await as(who).call(A.audit, { query: { company_id: id } })).ok().rows;

describe('the search for companies', () => {
  before(signIn);
  test('finds by the beginning of the name first, then by its words, newest first', async () => {
    const words = await named('ТОО «Алма-Ата Сымбат»');
    const older = await named('Сымбат Медикал');
    const newer = await named('СЫМБАТ-сервис');
    await named('Сымбатик');
    assert.deepEqual((await idsOf('сымбат')).slice(1), [newer, older, words]);
    assert.deepEqual(await idsOf('сым АЛМА'), [words]);
    assert.deepEqual(await idsOf('ата'), [words]);
    assert.deepEqual(await idsOf('Сымбат м'), [older]);
    assert.deepEqual(await idsOf('мбат'), []);
    const shop = await named('shop.kz маркет');
    assert.deepEqual(await idsOf('kz'), [shop]);
    assert.deepEqual(await idsOf('shop.k'), [shop]);
  });

  test('finds letters of Kazakh in any case', async () => {
    const id = await named('Жібек Жолы Өскемен');
    assert.deepEqual(await idsOf('ЖІБЕК'), [id]);
    assert.deepEqual(await idsOf('өСКЕМЕН'), [id]);
  });

  test('finds by number, БИН, phone and e-mail of a member, and the beginning of a key', async () => {
    const id = await named('Найдётся', '080840003214');
    const member = await cabinet.person({ companyId: id, role: 'developer' });
    await service.sql(`update person set email = 'aigerim@salem.kz' where id = $1`, [
      member.personId,
    ]);
    const { key } = await service.key({ companyId: id });
    const national = `8 ${member.phone.slice(2)}`;
    for (const search of [
      String(id),
      '080840003214',
      '0808 4000 3214',
      member.phone,
      national,
      'aigerim@salem.kz',
      'Aigerim@',
      key.slice(0, 12),
      key,
    ]) {
      assert.deepEqual(await idsOf(search), [id], search);
    }
    assert.deepEqual(await idsOf('080840003215'), []);
    assert.deepEqual(await idsOf('igerim@salem.kz'), []);
    assert.deepEqual(await idsOf(`${key.slice(0, 11)}!`), []);
  });

  test('takes special characters as they are', async () => {
    await named('100% скидка');
    for (const search of ['%', '_', '\\', "' & | !", '«»', '(((', ':*']) {
      assert.deepEqual(await idsOf(search), [], search);
    }
    assert.equal((await idsOf('100%')).length, 1);
  });

  test('leaves out the company of the installation', async () => {
    const system = await openSystemCompany(service.ctx);
    assert.deepEqual(await idsOf('Zhiber'), []);
    assert.deepEqual(await idsOf(String(system)), []);
    (await as(who).call(C.company, { params: { id: system } })).refused('not_found');
    (await as(who).call(C.company, { params: { id: 999_999 } })).refused('not_found');
  });

  test('filters by state', async () => {
    const [working, suspended, owing] = [
      await named('Состояние один'),
      await named('Состояние два'),
      await named('Состояние три'),
    ];
    const at = { params: { id: suspended } };
    (await as(who).call(C.suspendCompany, { ...at, body: { reason: 'Жалобы' } })).ok();
    await service.sql('update account set debt = 300 where company_id = $1', [owing]);
    const inState = async (state: 'active' | 'suspended' | 'owing') =>
      (await find({ search: 'состояние', state })).map(({ id }) => id);
    assert.deepEqual(await inState('active'), [owing, working]);
    assert.deepEqual(await inState('suspended'), [suspended]);
    assert.deepEqual(await inState('owing'), [owing]);
    await service.sql('update account set debt = 0 where company_id = $1', [owing]);
  });

  test('is listed in pages of fifty without a gap, with a search and without', async () => {
    for (let i = 0; i < 30; i++) {
      await named(`Страница ${i}`);
      await named(`Вторая страница ${i}`);
    }
    for (const search of ['страница', '']) {
      const first = (await as(who).call(C.companies, { query: { search } })).ok();
      assert.equal(first.rows.length, 50);
      const cursor = first.next as string;
      const second = (await as(who).call(C.companies, { query: { search, cursor } })).ok();
      const names = [...first.rows, ...second.rows].map(({ name }) => name);
      if (search === '') {
        const ids = [...first.rows, ...second.rows].map(({ id }) => id);
        assert.deepEqual(
          ids,
          [...new Set(ids)].toSorted((a, b) => b - a),
        );
        continue;
      }
      assert.equal(second.next, null);
      const expected = Array.from({ length: 30 }, (_, i) => 29 - i);
      assert.deepEqual(names, [
        ...expected.map((i) => `Страница ${i}`),
        ...expected.map((i) => `Вторая страница ${i}`),
      ]);
    }
    for (const cursor of ['x', '2.1', '0.0', '1']) {
      const answer = await as(who).call(C.companies, { query: { cursor } });
      answer.refused('validation_error');
    }
  });

  test('reads a few rows of ten thousand companies', async () => {
    await service.ctx.db.transaction(async (tx) => {
      await tx.query(
        `insert into company (name, business_id) select 'Фирма ' || md5(i::text), lpad(i::text, 12, '0')
         from generate_series(1, 10000) i`,
      );
      await tx.query(`insert into account (company_id) select id from company c
        where not exists (select from account a where a.company_id = c.id)`);
      await tx.query(
        `insert into person (id, name, email, phone)
         select 'p' || i, 'Имя', 'm' || i || '@many.kz', 77770000000 + i from generate_series(1, 10000) i`,
      );
      await tx.query(
        `insert into member (company_id, person_id, role)
         select id, 'p' || (business_id::bigint), 'owner' from company where name like 'Фирма %'`,
      );
    });
    for (const table of ['company', 'account', 'person', 'member', 'api_key']) {
      await service.sql(`analyze ${table}`);
    }
    type Node = { 'Node Type': string; 'Relation Name'?: string; Plans?: Node[] };
    const scans = (node: Node): string[] => [
      ...(node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : []),
      ...(node.Plans ?? []).flatMap(scans),
    ];
    const page = { since: new Date(), state: undefined, after: undefined, rowsMax: 51 };
    for (const typed of ['c4ca42', '000000000042', '+77770000042', 'm42@many', 'zk_live_abcd']) {
      const scanned: string[] = [];
      const explaining = {
        query: async (text: string, values?: unknown[]) => {
          const [row] = await service.sql<{ 'QUERY PLAN': [{ Plan: Node }] }>(
            `explain (format json) ${text}`,
            values,
          );
          scanned.push(...scans((row as { 'QUERY PLAN': [{ Plan: Node }] })['QUERY PLAN'][0].Plan));
          return await service.sql(text, values);
        },
      };
      await searchCompanies(explaining as never, readCompanyTerms(typed), page);
      const large = scanned.filter((name) => ['company', 'person', 'member'].includes(name));
      assert.deepEqual(large, [], typed);
    }
  });
});

describe('the page of a company', () => {
  before(signIn);
  test('has its money, people, keys and top-ups', async () => {
    const owner = await cabinet.person({ role: 'owner' });
    const id = owner.companyId as CompanyId;
    const key = await service.key({
      companyId: id,
      name: 'Сайт',
      channels: ['sms'],
      monthlyCap: 5_000,
      dailyCap: 100,
      expiresAt: new Date('2030-01-01T19:00:00Z'),
      ratePerMinute: 30,
    });
    const phones = [service.phone(), service.phone()] as const;
    for (const phone of phones) await service.call('/otp/send', { phone }, key);
    const code = service.readSentCode(key, phones[0]);
    await service.call('/otp/verify', { phone: phones[0], code }, key);
    await service.sql(
      `insert into payment_order (id, company_id, reference, provider, amount, payer_name, state, created_at, expires_at)
       values ($1, $2, 'ZB-PAGE1', 'transfer', 1000, 'Плательщик', 'manual', clock_timestamp(), clock_timestamp())`,
      [newId(Date.now()), id],
    );
    await service.sql(
      `insert into guard_decision (minute, company_id, prefix, sent, verified, bound, action, sends, probes)
       values (date_trunc('minute', clock_timestamp()), $1, '7701', 40, 1, 0.1, 'recorded', 12, 0)`,
      [id],
    );
    const page = await read(id);
    assert.partialDeepStrictEqual(page, {
      id,
      name: 'Тест',
      balance: 34,
      held: 0,
      available: 34,
      debt: 0,
      spent_today: 16,
      spent_week: 16,
      spent_month: 16,
      suspended_because: null,
      codes: { sent: 2, verified: 1 },
      sender_name: null,
      prices: { whatsapp: 3, telegram: 3, sms: 8, group: 0 },
      own_prices: [],
      correction_limit: 10_000,
    });
    assert.partialDeepStrictEqual(page.members, [
      { id: owner.personId, contact: owner.phone, role: 'owner', has_second_factor: false },
    ]);
    assert.deepEqual(
      page.keys.map(({ used_at, ...rest }) => rest),
      [
        {
          id: key.keyId,
          name: 'Сайт',
          mode: 'live',
          prefix: key.key.slice(0, 12),
          channels: ['sms'],
          domain: null,
          rate_per_minute: 30,
          monthly_cap: 5_000,
          spent_this_month: 16,
          daily_cap: 100,
          spent_today: 16,
          expires_at: '2030-01-01T19:00:00.000Z',
          is_revoked: false,
        },
      ],
    );
    assert.partialDeepStrictEqual(page.topups, [
      { reference: 'ZB-PAGE1', state: 'manual', amount: 1_000, paid: 0, refunded: 0 },
    ]);
    assert.partialDeepStrictEqual(page.guard_decisions, [
      { prefix: '7701', sent: 40, verified: 1, action: 'recorded', sends: 12 },
    ]);
    const [row] = await find({ search: String(id) });
    assert.partialDeepStrictEqual(row, { balance: 34, spent_week: 16, members: 1, keys: 1 });
  });

  test('counts what was spent since midnight, for seven and for thirty days, whatever came in', async () => {
    const id = await service.company(1_000);
    const charge = (kind: 'charge' | 'charge_moved', amount: number, days: number) =>
      service.ctx.db.transaction(async (tx) => {
        await tx.query(
          'update account set balance = balance - $2, entries = entries + 1 where company_id = $1',
          [id, amount],
        );
        await tx.query(
          `insert into entry (company_id, number, kind, cause, amount, balance_after, created_at)
           select company_id, entries, $5::entry_kind, $3, -$2::bigint, balance,
             clock_timestamp() - make_interval(days => $4)
           from account where company_id = $1`,
          [id, amount, newId(Date.now()), days, kind],
        );
      });
    await service.sql('alter table entry disable trigger user');
    await service.sql(
      `update entry set created_at = created_at - interval '90 days' where company_id = $1`,
      [id],
    );
    await service.sql('alter table entry enable trigger user');
    await charge('charge', 100, 40);
    await charge('charge', 200, 20);
    await charge('charge', 40, 3);
    // Delivered by a dearer channel.
    await charge('charge', 3, 0);
    await charge('charge_moved', 2, 0);
    await service.sql('select post_entry($1, $2, $3, $4)', [
      id,
      'correction',
      700,
      newId(Date.now()),
    ]);
    const { spent_today, spent_week, spent_month, balance } = await read(id);
    assert.deepEqual([spent_today, spent_week, spent_month, balance], [5, 45, 245, 1_355]);
    // There are no messages to these charges.
    await charge('charge', -345, 0);
  });
});

describe('an act of an operator', () => {
  before(signIn);
  test('suspends with a reason and resumes, once each, in both logs', async () => {
    const owner = await cabinet.person({ role: 'owner' });
    const id = owner.companyId as CompanyId;
    const key = await service.key({ companyId: id });
    const at = { params: { id } };
    const reason = 'Жалобы абонентов';
    for (let i = 0; i < 2; i++) {
      (await as(who).call(C.suspendCompany, { ...at, body: { reason } })).ok();
    }
    assert.equal((await read(id)).suspended_because, reason);
    const [logged, ...before] = await logOf(owner);
    assert.partialDeepStrictEqual(logged, {
      action: 'company.suspended',
      after: { reason },
      address: null,
    });
    assert(!before.some(({ action }) => action === 'company.suspended'));
    for (let i = 0; i < 2; i++) (await as(who).call(C.resumeCompany, at)).ok();
    assert.equal((await read(id)).suspended_because, null);
    assert.equal((await service.call('/otp/send', { phone: service.phone() }, key)).status, 200);
    assert.deepEqual(
      (await actsOn(id)).map(({ action, object }) => [action, object]),
      [
        ['company.resumed', 'Тест'],
        ['company.suspended', 'Тест'],
      ],
    );
  });

  test('sets a price of one company from a date on, and withdraws it before', async () => {
    const owner = await cabinet.person({ role: 'owner' });
    const id = owner.companyId as CompanyId;
    const at = { params: { id } };
    const set = (body: { item: 'sms'; tokens: number | null; from?: string }) =>
      as(who).call(C.setCompanyPrice, { ...at, body });
    (await set({ item: 'sms', tokens: 6 })).ok();
    assert.equal((await read(id)).prices.sms, 6);
    assert.equal((await read(await service.company())).prices.sms, 8);
    const from = new Date(Date.now() + 3_600_000).toISOString();
    (await set({ item: 'sms', tokens: null, from })).ok();
    const [future, holds] = (await read(id)).own_prices;
    assert.partialDeepStrictEqual(
      [future, holds],
      [
        { tokens: null, state: 'future', from },
        { tokens: 6, state: 'holds' },
      ],
    );
    const past = new Date(Date.now() - 60_000).toISOString();
    (await set({ item: 'sms', tokens: 1, from: past })).refused('validation_error');
    const withdraw = (price: number, company = id) =>
      as(who).call(C.withdrawCompanyPrice, { params: { id: company, price } });
    const other = await service.company();
    (await withdraw(future?.id as number, other)).refused('not_found');
    (await withdraw(holds?.id as number)).refused('price_holds');
    (await withdraw(future?.id as number)).ok();
    (await withdraw(future?.id as number)).refused('price_holds');
    assert.deepEqual(
      (await actsOn(id)).map(({ action }) => action),
      ['company.price_withdrawn', 'company.price_set', 'company.price_set'],
    );
    assert.deepEqual(
      (await logOf(owner)).slice(0, 3).map(({ action }) => action),
      ['price.withdrawn', 'price.set', 'price.set'],
    );
  });

  test('chooses a registered sender name, and takes it back', async () => {
    await insertSenderName(service.ctx.db, { name: 'SalemShop', note: null });
    const owner = await cabinet.person({ role: 'owner' });
    const id = owner.companyId as CompanyId;
    const choose = (name: string | null) =>
      as(who).call(C.chooseSenderName, { params: { id }, body: { name } });
    (await choose('Unknown')).refused('validation_error');
    (await choose('SalemShop')).ok();
    (await choose('SalemShop')).ok();
    const page = await read(id);
    assert.deepEqual([page.sender_name, page.sender_names], ['SalemShop', ['SalemShop']]);
    (await choose(null)).ok();
    assert.equal((await read(id)).sender_name, null);
    assert.equal((await actsOn(id)).length, 2);
    assert.equal((await logOf(owner))[0]?.action, 'sender.changed');
  });

  test('limits a key of the company and leaves its other settings alone', async () => {
    const owner = await cabinet.person({ role: 'owner' });
    const id = owner.companyId as CompanyId;
    const key = await service.key({
      companyId: id,
      name: 'Касса',
      domain: 'shop.kz',
      codeLength: 4,
    });
    const test = await service.key({ companyId: id, isTest: true });
    const stranger = await service.key();
    const limit = (keyId: number, monthly_cap: number | null, rate_per_minute: number | null) =>
      as(who).call(C.changeKeyLimits, {
        params: { id, key: keyId },
        body: { monthly_cap, rate_per_minute },
      });
    (await limit(key.keyId, 900, 20)).ok();
    (await limit(key.keyId, 900, 20)).ok();
    const [row] = await service.sql(
      'select name, domain, code_length, monthly_cap, rate_per_minute from api_key where id = $1',
      [key.keyId],
    );
    assert.deepEqual(row, {
      name: 'Касса',
      domain: 'shop.kz',
      code_length: 4,
      monthly_cap: 900,
      rate_per_minute: 20,
    });
    (await limit(stranger.keyId, 900, 20)).refused('not_found');
    (await limit(test.keyId, 900, null)).refused('validation_error');
    (await limit(test.keyId, null, 5)).ok();
    assert.deepEqual(
      (await actsOn(id)).map(({ action, object, after }) => [action, object, after]),
      [
        ['company.key_limited', 'ключ', { ratePerMinute: 5, monthlyCap: null }],
        ['company.key_limited', 'Касса', { ratePerMinute: 20, monthlyCap: 900 }],
      ],
    );
    assert.partialDeepStrictEqual((await logOf(owner))[1], {
      action: 'key.changed',
      after: { monthlyCap: 900, ratePerMinute: 20 },
    });
  });

  test('is refused for the company of the installation', async () => {
    const id = await openSystemCompany(service.ctx);
    const at = { params: { id } };
    (await as(who).call(C.suspendCompany, { ...at, body: { reason: 'x' } })).refused('not_found');
    (await as(who).call(C.resumeCompany, at)).refused('not_found');
    const price = { item: 'sms', tokens: 1 } as const;
    (await as(who).call(C.setCompanyPrice, { ...at, body: price })).refused('not_found');
    (await as(who).call(C.chooseSenderName, { ...at, body: { name: null } })).refused('not_found');
    const [row] = await service.sql('select suspended_at from company where id = $1', [id]);
    assert.deepEqual(row, { suspended_at: null });
  });
});
