import { topUp } from '../../topups/top-up.ts';
import { type Command, Refusal } from '../grammar/command.ts';
import { companyIdOf, optionalName, requiredOption, wholeNumber } from '../grammar/values.ts';
import { withStorage } from '../with-storage.ts';

/** A larger amount is a typing mistake. */
const TOPUP_MAX = 1_000_000_000;
const REFERENCE_LENGTH_MAX = 100;

export const topup: Command = {
  name: 'topup',
  usage: '--company ID --amount N [--reference REF]',
  summary: {
    en: 'Credits a paid top-up; the first one also brings a bonus',
    ru: 'Зачисляет оплаченное пополнение, с первым — и бонус',
  },
  options: { company: 'text', amount: 'text', reference: 'text' },
  async run({ given, env, texts }) {
    const companyId = companyIdOf(given);
    const amount = wholeNumber('--amount', requiredOption(given, 'amount'), {
      min: 1,
      max: TOPUP_MAX,
    });
    const reference = optionalName(given, 'reference', REFERENCE_LENGTH_MAX);
    const outcome = await withStorage(env, (tools) =>
      topUp(tools, { companyId, amount, reference }),
    );
    switch (outcome.result) {
      case 'no_company':
        throw new Refusal((say) => say.noCompany(companyId));
      case 'too_small':
        throw new Refusal((say) => say.topupTooSmall(outcome.min));
      case 'already': {
        const { companyId: credited, receiptNumber } = outcome;
        if (credited !== companyId) throw new Refusal((say) => say.referenceTaken(credited));
        if (outcome.amount !== amount) {
          throw new Refusal((say) => say.creditedOtherAmount(receiptNumber, outcome.amount));
        }
        return {
          facts: { company_id: companyId, already: true, receipt: receiptNumber },
          lines: [texts.toppedUpBefore(receiptNumber)],
        };
      }
      case 'credited': {
        const { balance, bonus, receiptNumber } = outcome;
        return {
          facts: { company_id: companyId, balance, bonus, receipt: receiptNumber },
          lines: [texts.toppedUp(amount, bonus, balance)],
        };
      }
    }
  },
};
