import { findListedCompany } from '../../company/company-list-store.ts';
import { type Command, Refusal } from '../grammar/command.ts';
import { companyIdOf } from '../grammar/values.ts';
import { readStorage } from '../with-storage.ts';

export const balance: Command = {
  name: 'balance',
  usage: '--company ID',
  summary: {
    en: 'Shows the balance of a company: what it can spend, what is held, what it owes',
    ru: 'Показывает баланс компании: сколько доступно, удержано и в долгу',
  },
  options: { company: 'text' },
  async run({ given, env, texts }) {
    const companyId = companyIdOf(given);
    const company = await readStorage(env, ({ db }) => findListedCompany(db, companyId));
    if (company === undefined) throw new Refusal((say) => say.noCompany(companyId));
    const { balance, held, debt } = company;
    const available = balance - held;
    return {
      facts: { company_id: companyId, balance, held, available, debt },
      lines: [texts.balanceLine({ balance, held, available, debt })],
    };
  },
};
