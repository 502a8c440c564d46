import {
  addUnsubscribed,
  deleteByOperator,
} from '../../broadcasts/unsubscribe/unsubscribed-store.ts';
import { type Phone, parsePhone } from '../../phone.ts';
import { type Command, Refusal, UsageError } from '../grammar/command.ts';
import { withStorage } from '../with-storage.ts';

export const unsubscribedAdd: Command = {
  name: 'unsubscribed add',
  usage: 'PHONE',
  summary: {
    en: 'Keeps a phone from the broadcasts of all companies',
    ru: 'Отписывает номер от рассылок всех компаний',
  },
  operands: ['PHONE'],
  async run({ given, env, texts }) {
    const phone = phoneOf(given.operands[0] as string);
    const unsubscribed = { phone, companyId: null, source: 'operator' } as const;
    const isNew = await withStorage(env, ({ db }) => addUnsubscribed(db, unsubscribed));
    if (!isNew) throw new Refusal((say) => say.alreadyUnsubscribed(phone));
    return { facts: { phone, unsubscribed: true }, lines: [texts.phoneUnsubscribed(phone)] };
  },
};

export const unsubscribedRemove: Command = {
  name: 'unsubscribed remove',
  usage: 'PHONE',
  summary: {
    en: 'Takes back what `unsubscribed add` did; what a person asked for stays',
    ru: 'Отменяет `unsubscribed add`; просьба самого человека остаётся',
  },
  operands: ['PHONE'],
  async run({ given, env, texts }) {
    const phone = phoneOf(given.operands[0] as string);
    const isRemoved = await withStorage(env, ({ db }) => deleteByOperator(db, phone));
    if (!isRemoved) throw new Refusal((say) => say.notUnsubscribed(phone));
    return { facts: { phone, unsubscribed: false }, lines: [texts.phoneSubscribed(phone)] };
  },
};

function phoneOf(text: string): Phone {
  const phone = parsePhone(text)?.phone;
  if (phone === undefined) throw new UsageError((say) => say.badPhone(text));
  return phone;
}
