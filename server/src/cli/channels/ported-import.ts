import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { clearPorted, type PortedNumber, storePorted } from '../../delivery/sms-route-store.ts';
import { isOperatorId, OPERATORS } from '../../numbering-plan.ts';
import { parsePhone } from '../../phone.ts';
import { type Command, Refusal } from '../grammar/command.ts';
import { withStorage } from '../with-storage.ts';

/** A few hundred thousand lines are read in seconds, and no statement waits for all of them. */
const LINES_PER_STATEMENT = 5_000;

export const portedImport: Command = {
  name: 'ported import',
  usage: 'FILE.csv [--replace]',
  summary: {
    en: 'Stores which operator numbers were ported to: a line per number, like 77011234567,beeline',
    ru: 'Запоминает, к какому оператору перешли номера: строка на номер, как 77011234567,beeline',
  },
  options: { replace: 'switch' },
  operands: ['FILE'],
  async run({ given, env, texts }) {
    const [file] = given.operands as [string];
    const count = await withStorage(env, ({ db }) =>
      db.transaction(async (tx) => {
        if (given.isOn('replace')) await clearPorted(tx);
        let stored = 0;
        for await (const numbers of readNumbers(file)) {
          await storePorted(tx, numbers);
          stored += numbers.length;
        }
        return stored;
      }),
    );
    return { facts: { numbers: count }, lines: [texts.portedStored(count)] };
  },
};

async function* readNumbers(file: string): AsyncGenerator<PortedNumber[]> {
  let batch = new Map<string, PortedNumber>();
  let place = 0;
  try {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      place += 1;
      if (line.trim() === '') continue;
      const number = readNumber(line);
      // Names of columns.
      if (number === undefined && place === 1) continue;
      if (number === undefined) throw new Refusal((say) => say.badPorted(place, OPERATOR_IDS));
      batch.set(number.phone, number);
      if (batch.size < LINES_PER_STATEMENT) continue;
      yield [...batch.values()];
      batch = new Map();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof Refusal || code === undefined) throw error;
    throw new Refusal((say) => say.noFile(file, code));
  }
  if (batch.size > 0) yield [...batch.values()];
}

const OPERATOR_IDS = OPERATORS.map(({ id }) => id).join(', ');

function readNumber(line: string): PortedNumber | undefined {
  const [phoneText = '', operator = ''] = line
    .split(/[,;\t]/)
    .map((part) => part.trim().toLowerCase());
  const phone = parsePhone(/^\d+$/.test(phoneText) ? `+${phoneText}` : phoneText)?.phone;
  return phone !== undefined && isOperatorId(operator) ? { phone, operator } : undefined;
}
