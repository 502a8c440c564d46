import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditIn } from '../../src/billing/invariant-store.ts';
import { type CompanyId, newId } from '../../src/ids.ts';
import { confirmOrder } from '../../src/topups/confirm-order.ts';
import { type ImportedLine, importStatement } from '../../src/topups/import-statement.ts';
import { matchLine } from '../../src/topups/match-line.ts';
import { insertOrder } from '../../src/topups/order-store.ts';
import { findUnmatchedLines } from '../../src/topups/statement-store.ts';
import { reasonText, type StatementReason } from '../../src/topups/statement-words.ts';
import { runConcurrently, until } from '../harness.ts';
import { useTwoNodes } from '../money/two-nodes.ts';

const { service, otherCtx } = useTwoNodes();

const HEADER =
  'Дата операции;№ документа;Дебет;Кредит;БИН/ИИН плательщика;Плательщик;Назначение платежа';
/** Why a line was not read, or what is odd about it. */
function english(line: { reason?: StatementReason | undefined } | undefined): string {
  return line?.reason === undefined ? 'nothing is odd' : reasonText(line.reason, 'en');
}

let orders = 0;
async function order(
  companyId: CompanyId,
  amount: number,
  { provider = 'transfer', reference }: { provider?: string; reference?: string } = {},
) {
  orders += 1;
  const name = reference ?? `ZB-STMT${String(orders).padStart(4, '0')}`;
  const id = newId(Date.now());
  await insertOrder(service.ctx.db, {
    id,
    company_id: companyId,
    reference: name,
    provider,
    amount,
    payer_name: 'ТОО «Плательщик»',
    payer_business_id: null,
    provider_id: name,
    qr: null,
    pay_url: null,
    created_by: null,
    expires_at: new Date(Date.now() + 3_600_000),
    next_check_at: null,
  });
  return { id, reference: name };
}

/** Yesterday, so that no line is in the future. */
const DAY = new Date(Date.now() - 24 * 3_600_000)
  .toLocaleDateString('ru-RU', { timeZone: 'Asia/Almaty' })
  .replaceAll('/', '.');
type Given = { number?: string; amount?: number; purpose: string; businessId?: string };
function statementOf(...lines: Given[]): string {
  const rows = lines.map(
    ({ number = '', amount = 5_000, purpose, businessId = '' }) =>
      `${DAY};${number};;${amount},00;${businessId};ТОО Ромашка;${purpose}`,
  );
  return [HEADER, ...rows, ''].join('\n');
}

async function bring(text: string, ctx = service.ctx): Promise<ImportedLine[]> {
  const outcome = await importStatement(ctx, {}, { bytes: Buffer.from(text), operator: 'Айгуль' });
  assert.ok(outcome.result === 'imported', JSON.stringify(outcome));
  return outcome.lines;
}
const outcomesOf = (lines: readonly ImportedLine[]) => lines.map(({ outcome }) => outcome);
const balanceOf = async (companyId: CompanyId) => (await service.balance(companyId)).balance;

async function assertClean() {
  const { violations } = await auditIn(service.ctx.db);
  assert.deepEqual(
    Object.entries(violations).filter(([, count]) => count > 0),
    [],
  );
}

describe('an imported line', () => {
  test('is credited to the order that its purpose names; the file again credits nothing', async () => {
    const companyId = await service.company();
    const { reference } = await order(companyId, 5_000);
    const file = statementOf({ number: '15', purpose: `Оплата ${reference.toLowerCase()}` });
    const [line] = await bring(file);
    assert.deepEqual(line, { line: 2, amount: 5_000, outcome: 'credited', reference });
    assert.deepEqual(outcomesOf(await bring(file)), ['already']);
    assert.equal(await balanceOf(companyId), 50 + 5_000 + 1_000);
    const [payment] = await service.sql<{ provider: string; payer_name: string; day: string }>(
      `select provider, payer_name, to_char(paid_at at time zone 'Asia/Almaty', 'DD.MM.YYYY') as day
       from payment where company_id = $1`,
      [companyId],
    );
    assert.deepEqual(payment, { provider: 'transfer', payer_name: 'ТОО «Плательщик»', day: DAY });
    const [record] = await service.sql<{ after: object }>(
      `select after from audit_record where company_id = $1 and action = 'balance.topped_up'`,
      [companyId],
    );
    assert.deepEqual(record?.after, {
      amount: 5_000,
      bonus: 1_000,
      provider: 'transfer',
      confirmed_by: 'Айгуль',
    });
    await assertClean();
  });

  test('of another amount is credited as paid, and flagged', async () => {
    const companyId = await service.company();
    const { reference } = await order(companyId, 5_000, { provider: 'merchant-qr' });
    const [line] = await bring(statementOf({ number: '16', amount: 4_990, purpose: reference }));
    assert.deepEqual(line, {
      line: 2,
      amount: 4_990,
      outcome: 'other_amount',
      reference,
      reason: { code: 'order_is_for', values: ['5000'] },
    });
    assert.equal(await balanceOf(companyId), 50 + 4_990 + 1_000);
    await assertClean();
  });

  test('is credited once by 20 imports released together on two nodes', async () => {
    const companyId = await service.company();
    const { reference } = await order(companyId, 5_000);
    const file = statementOf({ number: '17', purpose: reference }, { purpose: 'аренда за ноябрь' });
    const all = await runConcurrently(20, (i) =>
      bring(file, i % 2 === 0 ? service.ctx : otherCtx()),
    );
    const first = all.map(([line]) => line?.outcome);
    assert.equal(first.filter((outcome) => outcome === 'credited').length, 1);
    assert.equal(first.filter((outcome) => outcome === 'already').length, 19);
    assert.equal(await balanceOf(companyId), 50 + 5_000 + 1_000);
    const [rows] = await service.sql<{ count: number }>(
      `select count(*)::integer as count from bank_statement_line where purpose = 'аренда за ноябрь'`,
    );
    assert.equal(rows?.count, 1);
    await assertClean();
  });

  test('with a number that another payer has too is a payment of its own', async () => {
    const [one, other] = [await service.company(), await service.company()];
    const [first, second] = [await order(one, 5_000), await order(other, 5_000)];
    const lines = await bring(
      statementOf(
        { number: '1', purpose: first.reference },
        { number: '1', purpose: second.reference },
      ),
    );
    assert.deepEqual(outcomesOf(lines), ['credited', 'credited']);
    assert.equal(await balanceOf(other), 50 + 5_000 + 1_000);
    await assertClean();
  });

  test('without a number counts as often as it stands in the file', async () => {
    const companyId = await service.company();
    const { reference } = await order(companyId, 5_000);
    const file = statementOf({ purpose: reference }, { purpose: reference });
    assert.deepEqual(outcomesOf(await bring(file)), ['credited', 'credited']);
    assert.deepEqual(outcomesOf(await bring(file)), ['already', 'already']);
    assert.equal(await balanceOf(companyId), 50 + 10_000 + 1_000);
    await assertClean();
  });

  test('is not credited by itself when it names two orders, or one whose provider reports', async () => {
    const companyId = await service.company();
    const one = await order(companyId, 5_000);
    const two = await order(companyId, 5_000);
    const kaspi = await order(companyId, 5_000, { provider: 'kaspi' });
    const lines = await bring(
      statementOf(
        { number: '20', purpose: `${one.reference}, ${two.reference}` },
        { number: '21', purpose: kaspi.reference },
      ),
    );
    assert.deepEqual(outcomesOf(lines), ['no_order', 'no_order']);
    assert.match(english(lines[0]), /several orders/);
    assert.match(english(lines[1]), /an order by kaspi/);
    assert.equal(await balanceOf(companyId), 50);
  });

  test('of a hostile file is stored as text, and nothing else happens', async () => {
    const purpose = `') drop table payment -- =cmd|'/c calc'!A1 <script>`;
    const lines = await bring(statementOf({ number: '\u0000\u202e22', purpose }));
    assert.deepEqual(outcomesOf(lines), ['no_order']);
    const [stored] = await findUnmatchedLines(service.ctx.db, 1);
    assert.deepEqual([stored?.purpose, stored?.bank_reference], [purpose, '22']);
  });

  test('that was claimed before the process died is credited by the next import', async () => {
    const companyId = await service.company();
    const { id, reference } = await order(companyId, 5_000);
    const file = statementOf({ number: '23', purpose: `нет такого ${orders}` });
    assert.deepEqual(outcomesOf(await bring(file)), ['no_order']);
    await service.sql('update bank_statement_line set order_id = $1 where bank_reference = $2', [
      id,
      '23',
    ]);
    const [line] = await bring(file);
    assert.deepEqual([line?.outcome, line?.reference], ['credited', reference]);
    await assertClean();
  });
});

describe('a line that names no order', () => {
  async function unmatched() {
    const purpose = `за услуги, договор ${newId(Date.now())}`;
    assert.deepEqual(outcomesOf(await bring(statementOf({ number: '30', purpose }))), ['no_order']);
    const [line] = await findUnmatchedLines(service.ctx.db, 1);
    return line?.id as string;
  }
  const match = (lineId: string, reference: string, ctx = service.ctx) =>
    matchLine(ctx, {}, { lineId, target: { reference }, operator: 'Айгуль' });
  const matchCompany = (lineId: string, companyId: CompanyId, ctx = service.ctx) =>
    matchLine(ctx, {}, { lineId, target: { companyId }, operator: 'Айгуль' });

  test('is credited to the order that the operator names, once', async () => {
    const companyId = await service.company();
    const { reference } = await order(companyId, 5_000);
    const lineId = await unmatched();
    assert.deepEqual(await match(lineId, ` ${reference.toLowerCase()}`), {
      result: 'credited',
      target: reference,
    });
    assert.deepEqual(await match(lineId, reference), { result: 'already', target: reference });
    const other = await order(companyId, 5_000);
    assert.deepEqual(await match(lineId, other.reference), {
      result: 'matched',
      target: reference,
    });
    assert.equal(await balanceOf(companyId), 50 + 5_000 + 1_000);
    await assertClean();
  });

  test('is credited to a company without an order, once, with its payer', async () => {
    const companyId = await service.company();
    const lineId = await unmatched();
    const [company] = await service.sql<{ name: string }>(
      'select name from company where id = $1',
      [companyId],
    );
    const target = company?.name;
    assert.deepEqual(await matchCompany(lineId, companyId), { result: 'credited', target });
    assert.deepEqual(await matchCompany(lineId, companyId), { result: 'already', target });
    const { reference } = await order(companyId, 5_000);
    assert.deepEqual(await match(lineId, reference), { result: 'matched', target });
    const other = await service.company();
    assert.deepEqual(await matchCompany(lineId, other), { result: 'matched', target });
    assert.equal(await balanceOf(companyId), 50 + 5_000 + 1_000);
    assert.equal(await balanceOf(other), 50);
    const [paid] = await service.sql(
      `select p.provider, p.order_id, p.payer_name, p.payer_business_id, p.provider_payment_id like '30/%' as is_numbered
       from payment p join bank_statement_line l on l.payment_id = p.id where l.id = $1`,
      [lineId],
    );
    assert.deepEqual(paid, {
      provider: 'transfer',
      order_id: null,
      payer_name: 'ТОО Ромашка',
      payer_business_id: null,
      is_numbered: true,
    });
    await assertClean();
  });

  test('is credited once, to an order or to a company that it is matched with at once', async () => {
    const companyId = await service.company();
    const { reference } = await order(companyId, 5_000);
    const lineId = await unmatched();
    const outcomes = await runConcurrently(10, (i) =>
      i % 2 === 0 ? match(lineId, reference) : matchCompany(lineId, companyId, otherCtx()),
    );
    assert.equal(outcomes.filter(({ result }) => result === 'credited').length, 1);
    assert.equal(outcomes.filter(({ result }) => result === 'matched').length, 5);
    assert.equal(await balanceOf(companyId), 50 + 5_000 + 1_000);
    await assertClean();
  });

  test('is credited to one of two orders that it is matched with at once', async () => {
    const companyId = await service.company();
    const two = [await order(companyId, 5_000), await order(companyId, 5_000)];
    const lineId = await unmatched();
    const outcomes = await runConcurrently(10, (i) =>
      match(lineId, two[i % 2]?.reference ?? '', i % 2 === 0 ? service.ctx : otherCtx()),
    );
    assert.equal(outcomes.filter(({ result }) => result === 'credited').length, 1);
    assert.equal(outcomes.filter(({ result }) => result === 'matched').length, 5);
    assert.equal(await balanceOf(companyId), 50 + 5_000 + 1_000);
    await assertClean();
  });

  test('is not matched with what does not exist', async () => {
    assert.deepEqual(await match(newId(Date.now()), 'ZB-NOTHING'), { result: 'no_line' });
    assert.deepEqual(await match(await unmatched(), 'ZB-NOTHING'), { result: 'no_target' });
    const nobody = 999_999_999 as CompanyId;
    assert.deepEqual(await matchCompany(await unmatched(), nobody), { result: 'no_target' });
  });
});

describe('an order that the operator confirms', () => {
  const confirm = (reference: string, bankReference: string, amount = 5_000) =>
    confirmOrder(
      service.ctx,
      {},
      {
        order: { reference },
        amount,
        paidAt: new Date(Date.now() - 24 * 3_600_000),
        bankReference,
        operator: 'Айгуль',
      },
    );

  test('is credited once for the same bank reference, whoever is first', async () => {
    const companyId = await service.company();
    const { id, reference } = await order(companyId, 5_000);
    const outcomes = await runConcurrently(10, (i) =>
      confirmOrder(
        i % 2 === 0 ? service.ctx : otherCtx(),
        {},
        {
          order: i % 2 === 0 ? { id } : { reference },
          amount: 5_000,
          paidAt: new Date(),
          bankReference: ' 40',
          operator: 'Айгуль',
        },
      ),
    );
    assert.equal(outcomes.filter(({ result }) => result === 'credited').length, 1);
    assert.equal(outcomes.filter(({ result }) => result === 'already').length, 9);
    await assertClean();
  });

  test('is not credited again when a statement brings the same document, nor the other way round', async () => {
    const companyId = await service.company();
    const first = await order(companyId, 5_000);
    assert.equal((await confirm(first.reference, '41')).result, 'credited');
    const lines = await bring(statementOf({ number: '41', purpose: first.reference }));
    assert.deepEqual(outcomesOf(lines), ['already']);
    const second = await order(companyId, 5_000);
    await bring(statementOf({ number: '42', purpose: second.reference }));
    assert.equal((await confirm(second.reference, '42')).result, 'already');
    assert.equal(await balanceOf(companyId), 50 + 10_000 + 1_000);
    await assertClean();
  });

  test('is refused when the same document has paid another order that day', async () => {
    const companyId = await service.company();
    const [first, second] = [await order(companyId, 5_000), await order(companyId, 5_000)];
    await confirm(first.reference, '43');
    assert.deepEqual(await confirm(second.reference, '43'), {
      result: 'used',
      reference: first.reference,
    });
    assert.equal((await confirm(second.reference, '43', 4_000)).result, 'credited');
    assert.deepEqual(await confirm('ZB-NOTHING', '44'), { result: 'no_order' });
  });

  test('is credited alone when two orders are confirmed by one document at once', async () => {
    const [one, other] = [await service.company(), await service.company()];
    const orders = [await order(one, 5_000), await order(other, 5_000)];
    const { confirmed } = await service.ctx.db.transaction(async (tx) => {
      await tx.query('select from account where company_id = any ($1) for update', [[one, other]]);
      const both = Promise.all(orders.map(({ reference }) => confirm(reference, '46')));
      await until('both wait', async () => {
        const [row] = await service.sql<{ count: number }>(
          `select count(*)::integer as count from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return row?.count === 2;
      });
      return { confirmed: both };
    });
    const results = (await confirmed).map(({ result }) => result);
    assert.deepEqual(results.toSorted(), ['credited', 'used']);
    assert.equal((await balanceOf(one)) + (await balanceOf(other)), 50 + 50 + 5_000 + 1_000);
    await assertClean();
  });

  test('with another amount than the statement shows leaves the line to people', async () => {
    const companyId = await service.company();
    const { reference } = await order(companyId, 5_000);
    await confirm(reference, '47', 500);
    const file = statementOf({ number: '47', purpose: reference });
    for (const lines of [await bring(file), await bring(file)]) {
      assert.deepEqual(outcomesOf(lines), ['already']);
    }
    const waiting = await service.sql(
      `select from bank_statement_line where bank_reference = '47' and payment_id is null`,
    );
    assert.equal(waiting.length, 1);
    assert.equal(await balanceOf(companyId), 50 + 500);
    await assertClean();
  });

  test('of a provider that reports is credited as money on the account', async () => {
    const companyId = await service.company();
    const { reference } = await order(companyId, 5_000, { provider: 'kaspi' });
    const outcome = await confirm(reference, '45');
    assert.equal(outcome.result === 'credited' && outcome.payment.provider, 'transfer');
  });
});
