import { PRICE_MAX, type PricedItem } from '@zhiber/contract/api/prices.ts';
import { almatyTime } from '../../almaty.ts';
import {
  listPrices,
  type PriceList,
  previewPrice,
  setPrice,
  withdrawPrice,
} from '../../billing/manage-prices.ts';
import { PRICED_ITEMS } from '../../billing/price-cache.ts';
import { systemClock } from '../../clock.ts';
import { type Command, Refusal, UsageError } from '../grammar/command.ts';
import type { Texts } from '../grammar/texts.ts';
import { idOf, oneOf, optionalCompanyId, optionalMoment, wholeNumber } from '../grammar/values.ts';
import { mustHaveCompany, readStorage, withStorage } from '../with-storage.ts';

/** The history of prices names who set them. */
const BY_TERMINAL = 'terminal';
/** The audit log records no person for a change from the command line. */
const OPERATOR = {};
/** Instead of a number: the company pays the common price again. */
const COMMON = 'common';

export const priceList: Command = {
  name: 'price list',
  usage: '[--company ID]',
  summary: {
    en: 'Shows the prices that hold, their history, and those set for later',
    ru: 'Показывает цены, их историю и заданные заранее',
  },
  options: { company: 'text' },
  async run({ given, env, texts }) {
    const companyId = optionalCompanyId(given);
    const list = await readStorage(env, async (tools) => {
      if (companyId !== undefined) await mustHaveCompany(tools, companyId);
      return await listPrices(tools, { companyId });
    });
    const { prices, own, history } = list;
    return {
      facts: {
        ...(companyId !== undefined && { company_id: companyId, own }),
        prices,
        history: history.map(toFacts),
      },
      lines: [
        ...PRICED_ITEMS.map((item) => texts.priceLine(item, prices[item], own.includes(item))),
        ...(history.length === 0 ? [] : [texts.priceHistory]),
        ...history.map((version) => lineOf(version, texts)),
      ],
    };
  },
};

type Version = PriceList['history'][number];

function toFacts(version: Version) {
  return {
    id: version.id,
    channel: version.item,
    company_id: version.company_id,
    tokens: version.tokens,
    from: version.valid_from.toISOString(),
    state: version.state,
    set_by: version.set_by,
    set_at: version.created_at.toISOString(),
    withdrawn_by: version.withdrawn_by,
    withdrawn_at: version.withdrawn_at?.toISOString() ?? null,
  };
}

function lineOf(version: Version, texts: Texts): string {
  const { id, item, tokens, valid_from: from, company_id, company_name } = version;
  return texts.priceVersion({
    id,
    item,
    tokens,
    from: from.getTime() === 0 ? texts.sinceStart : almatyTime(from),
    company: company_id === null ? null : `${company_id} ${company_name}`,
    state: texts.priceStates[version.state],
    by: version.set_by,
  });
}

export const priceSet: Command = {
  name: 'price set',
  usage: `${PRICED_ITEMS.join('|')} N|${COMMON} [--company ID] [--from DATE]`,
  summary: {
    en: 'Sets the price of one message, for all or one company, within a second or from a date on',
    ru: 'Задаёт цену сообщения для всех или одной компании, за секунду или с даты',
  },
  options: { company: 'text', from: 'text' },
  operands: ['CHANNEL', 'N'],
  async run({ given, env, texts }) {
    const [channel, number] = given.operands as [string, string];
    const item: PricedItem = oneOf('CHANNEL', channel, PRICED_ITEMS);
    const companyId = optionalCompanyId(given);
    const from = optionalMoment(given, 'from', systemClock.now());
    if (number === COMMON && companyId === undefined) {
      throw new UsageError((say) => say.commonNeedsNumber);
    }
    const tokens = number === COMMON ? null : wholeNumber('N', number, { min: 0, max: PRICE_MAX });
    const { outcome, preview } = await withStorage(env, async (tools) => {
      if (companyId !== undefined) await mustHaveCompany(tools, companyId);
      return {
        preview: await previewPrice(tools, { item, companyId, from }),
        outcome: await setPrice(tools, OPERATOR, {
          item,
          companyId,
          tokens,
          from,
          by: BY_TERMINAL,
        }),
      };
    });
    if (outcome.result === 'in_the_past') throw new Refusal((say) => say.priceInPast);
    const { id, validFrom } = outcome;
    const company = companyId ?? null;
    const others = preview.otherPrices.length;
    return {
      facts: { id, channel: item, tokens, company_id: company, from: validFrom.toISOString() },
      lines: [
        texts.priceSet({ item, tokens, company, from: almatyTime(validFrom) }),
        texts.priceReach({ ...preview, others }),
      ],
    };
  },
};

export const priceWithdraw: Command = {
  name: 'price withdraw',
  usage: 'ID',
  summary: {
    en: 'Withdraws a price that does not hold yet',
    ru: 'Отменяет цену, которая ещё не действует',
  },
  operands: ['ID'],
  async run({ given, env, texts }) {
    const id = idOf('ID', given.operands[0] as string);
    const outcome = await withStorage(env, (tools) =>
      withdrawPrice(tools, OPERATOR, { id, by: BY_TERMINAL }),
    );
    if (outcome === 'unknown') throw new Refusal((say) => say.noPrice(id));
    if (outcome === 'holds_already') throw new Refusal((say) => say.priceHolds(id));
    if (outcome === 'already_withdrawn') throw new Refusal((say) => say.priceWithdrawnBefore(id));
    return { facts: { id, withdrawn: true }, lines: [texts.priceWithdrawn(id)] };
  },
};
