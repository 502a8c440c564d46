import { readAudit } from '../billing/invariant-store.ts';
import type { Command } from './grammar/command.ts';
import { withStorage } from './with-storage.ts';

export const audit: Command = {
  name: 'audit',
  usage: '',
  summary: {
    en: 'Checks that money, messages and codes add up',
    ru: 'Проверяет, что деньги, сообщения и коды сходятся',
  },
  async run({ env, texts }) {
    const { violations, totals } = await withStorage(env, ({ storage }) =>
      readAudit(storage.connection),
    );
    const invariants = Object.keys(violations).length;
    const broken = Object.entries(violations).filter(([, count]) => count > 0);
    const isGood = broken.length === 0;
    return {
      facts: { ok: isGood, violations, totals },
      lines: [
        isGood ? texts.auditHolds(invariants) : texts.auditBroken(broken.length, invariants),
        ...broken.map(([name, count]) => `  ✗ ${name}: ${count}`),
        texts.auditTotals(totals),
      ],
      exitCode: isGood ? 0 : 1,
    };
  },
};
