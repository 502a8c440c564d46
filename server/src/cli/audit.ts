import { auditMonthsAgain } from '../billing/audited-month-store.ts';
import { readAudit } from '../billing/invariant-store.ts';
import { onReplica } from '../db/read-replica.ts';
import { type Command, type Given, UsageError } from './grammar/command.ts';
import { readStorage } from './with-storage.ts';

export const audit: Command = {
  name: 'audit',
  usage: '[--all] [--month 2026-09]',
  options: { all: 'switch', month: 'text' },
  summary: {
    en: 'Checks that money, messages and codes add up',
    ru: 'Проверяет, что деньги, сообщения и коды сходятся',
  },
  async run({ given, env, texts }) {
    const month = monthOf(given);
    const { violations, totals, months } = await readStorage(env, ({ storage }) =>
      onReplica(storage, async (connection) => ({
        ...(await readAudit(connection)),
        months:
          given.isOn('all') || month !== undefined ? await auditMonthsAgain(connection, month) : [],
      })),
    );
    const invariants = Object.keys(violations).length;
    const broken = Object.entries(violations).filter(([, count]) => count > 0);
    const brokenMonths = months.filter((one) => one.broken.length > 0);
    const isGood = broken.length + brokenMonths.length === 0;
    return {
      facts: { ok: isGood, violations, totals, months },
      lines: [
        isGood
          ? texts.auditHolds(invariants)
          : texts.auditBroken(broken.length + brokenMonths.length, invariants),
        ...broken.map(([name, count]) => `  ✗ ${name}: ${count}`),
        ...brokenMonths.map(
          ({ table_name, month: of, broken: names }) =>
            `  ✗ ${table_name} ${of.slice(0, 7)}: ${names.join(', ')}`,
        ),
        ...(months.length === 0 ? [] : [texts.auditMonths(months.length)]),
        texts.auditTotals(totals),
      ],
      exitCode: isGood ? 0 : 1,
    };
  },
};

/** The first day of the month of --month. */
function monthOf(given: Given): string | undefined {
  const text = given.text('month');
  if (text === undefined) return undefined;
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(text)) {
    throw new UsageError((texts) => texts.badMonth('--month', text));
  }
  return `${text}-01`;
}
