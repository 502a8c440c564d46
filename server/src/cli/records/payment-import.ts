import { readFile, stat } from 'node:fs/promises';
import { type ImportedLine, importStatement } from '../../topups/import-statement.ts';
import { STATEMENT_BYTES_MAX } from '../../topups/read-statement.ts';
import { reasonText } from '../../topups/statement-words.ts';
import { type Command, Refusal } from '../grammar/command.ts';
import { withStorage } from '../with-storage.ts';

/** Who imported a line, where nobody has signed in. */
const OPERATOR = 'terminal';

export const paymentImport: Command = {
  name: 'payment import',
  usage: 'FILE.csv',
  summary: {
    en: 'Credits the payments of a bank statement; a line is never credited twice',
    ru: 'Зачисляет оплаты из банковской выписки; дважды одну строку не зачислит',
  },
  operands: ['FILE'],
  async run({ given, env, lang, texts }) {
    const [file] = given.operands as [string];
    const bytes = await readStatementFile(file);
    const outcome = await withStorage(env, (tools) =>
      importStatement(tools, {}, { bytes, operator: OPERATOR }),
    );
    if (outcome.result === 'not_a_statement') {
      throw new Refusal((say) => say.notAStatement(reasonText(outcome.reason, lang)));
    }
    const { lines, outgoing } = outcome;
    const count = (kind: ImportedLine['outcome']) =>
      lines.filter((line) => line.outcome === kind).length;
    const counts = {
      credited: count('credited'),
      other_amount: count('other_amount'),
      already: count('already'),
      no_order: count('no_order'),
      unreadable: count('unreadable'),
      outgoing,
    };
    return {
      facts: {
        ...counts,
        lines: lines.map(({ reason, ...line }) => ({
          ...line,
          ...(reason !== undefined && { reason: reason.code, message: reasonText(reason, lang) }),
        })),
      },
      lines: [...lines.map(texts.statementLine), texts.statementImported(counts)],
    };
  },
};

async function readStatementFile(file: string): Promise<Buffer> {
  try {
    const { size } = await stat(file);
    // One byte more than allowed is enough to refuse it; a disk image need not be read.
    if (size > STATEMENT_BYTES_MAX) return Buffer.alloc(STATEMENT_BYTES_MAX + 1);
    return await readFile(file);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new Refusal((texts) => texts.noFile(file, code));
  }
}
