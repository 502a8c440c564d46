import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { createEmptyHome, createSql } from './serve-harness.ts';

const home = createEmptyHome();
after(() => home.remove());

test('a bank statement is imported from the terminal while the server runs, and credits once', async () => {
  await home.serve();
  const created = await home.run(['company', 'create', '--name', 'Тест', '--json']);
  const { company_id } = JSON.parse(created.out);
  await createSql(home.dataDir)(
    `insert into payment_order (id, company_id, reference, provider, amount, payer_name, created_at, expires_at)
     values (gen_random_uuid(), $1, 'ZB-7K3M9QXW', 'transfer', 5000, 'ТОО', clock_timestamp(),
       clock_timestamp() + interval '1 day')`,
    [company_id],
  );
  const file = path.join(home.dataDir, '../statement.csv');
  const day = '16.11.2025';
  writeFileSync(
    file,
    `Дата;№ документа;Кредит;Назначение платежа\n${day};15;"5 000,00";оплата zb 7k3m 9qxw\n${day};16;700;аренда\nвчера;17;1;А\n`,
  );
  const importFile = () =>
    home.run(['payment', 'import', file], { ZHIBER_LANG: 'en', LANG: 'en_US' });
  const first = await importFile();
  assert.equal(first.code, 0, first.err);
  assert.deepEqual(first.out.trimEnd().split('\n'), [
    'line 2  credited  5000 ₸  ZB-7K3M9QXW',
    'line 3  no order  700 ₸  The purpose names no order.',
    'line 4  unreadable  "вчера" is not a date like 31.12.2026.',
    '1 credited (0 of another amount), 0 already, 1 to match by hand, 1 unreadable, 0 outgoing.',
  ]);
  assert.match((await importFile()).out, /^line 2 {2}already {2}5000 ₸\n/);

  const missing = await home.run(['payment', 'import', 'nothing.csv', '--json']);
  assert.equal(missing.code, 1);
  assert.match(missing.out, /nothing\.csv cannot be read \(ENOENT\)/);
  writeFileSync(file, 'a,b\n');
  const wrong = await home.run(['payment', 'import', file, '--json']);
  assert.match(wrong.out, /not a bank statement that can be read/);
  assert.match((await home.run(['audit'])).out, /invariants hold|инвариант/i);
});
