import { isSenderName } from '@zhiber/contract/sender-name.ts';
import { almatyTime } from '../../almaty.ts';
import { chooseSenderName } from '../../company/choose-sender-name.ts';
import { registerSenderName, removeSenderName } from '../../company/register-sender-name.ts';
import { listSenderNames } from '../../company/sender-name-store.ts';
import { type Call, type Command, Refusal, UsageError } from '../grammar/command.ts';
import { companyIdOf, optionalName } from '../grammar/values.ts';
import { readStorage, withStorage } from '../with-storage.ts';

const NOTE_LENGTH_MAX = 200;
/** The audit log records no person for a change from the command line. */
const OPERATOR = {};

function nameOf({ given }: Pick<Call, 'given'>): string {
  const name = given.operands[0] as string;
  if (!isSenderName(name)) throw new UsageError((texts) => texts.badSender(name));
  return name;
}

export const senderList: Command = {
  name: 'sender list',
  usage: '',
  summary: {
    en: 'Shows the registered SMS sender names and who uses them',
    ru: 'Показывает зарегистрированные имена отправителя SMS и кто ими пользуется',
  },
  async run({ env, texts }) {
    const senders = await readStorage(env, ({ db }) => listSenderNames(db));
    return {
      facts: {
        senders: senders.map(({ registered_at, ...sender }) => ({
          ...sender,
          registered_at: registered_at.toISOString(),
        })),
      },
      lines:
        senders.length === 0
          ? [texts.noSenders]
          : senders.map(({ name, registered_at, note, companies }) =>
              texts.senderLine({ name, at: almatyTime(registered_at), note, companies }),
            ),
    };
  },
};

export const senderAdd: Command = {
  name: 'sender add',
  usage: 'NAME [--note TEXT]',
  summary: {
    en: 'Adds an SMS sender name that the mobile operators have registered',
    ru: 'Добавляет имя отправителя SMS, которое зарегистрировали операторы связи',
  },
  options: { note: 'text' },
  operands: ['NAME'],
  async run({ given, env, texts }) {
    const name = nameOf({ given });
    const note = optionalName(given, 'note', NOTE_LENGTH_MAX) ?? null;
    const isNew = await withStorage(env, (tools) =>
      registerSenderName(tools, OPERATOR, { name, note }),
    );
    if (!isNew) throw new Refusal((say) => say.senderKnown(name));
    return { facts: { name, note }, lines: [texts.senderAdded(name)] };
  },
};

export const senderRemove: Command = {
  name: 'sender remove',
  usage: 'NAME',
  summary: {
    en: 'Removes a sender name that no company uses',
    ru: 'Убирает имя отправителя, которым никто не пользуется',
  },
  operands: ['NAME'],
  async run({ given, env, texts }) {
    const name = nameOf({ given });
    const isRemoved = await withStorage(env, (tools) => removeSenderName(tools, OPERATOR, name));
    if (!isRemoved) throw new Refusal((say) => say.senderInUse(name));
    return { facts: { name, removed: true }, lines: [texts.senderRemoved(name)] };
  },
};

export const senderSet: Command = {
  name: 'sender set',
  usage: 'NAME --company ID',
  summary: {
    en: 'Chooses the name that the SMS of a company come from, within a second',
    ru: 'Выбирает имя, от которого идут SMS компании, за секунду',
  },
  options: { company: 'text' },
  operands: ['NAME'],
  run: (call) => choose(call, nameOf(call)),
};

export const senderClear: Command = {
  name: 'sender clear',
  usage: '--company ID',
  summary: {
    en: "Lets the SMS of a company come from the name in the provider's settings",
    ru: 'Возвращает SMS компании имя из настроек провайдера',
  },
  options: { company: 'text' },
  run: (call) => choose(call, null),
};

async function choose({ given, env, texts }: Call, name: string | null) {
  const companyId = companyIdOf(given);
  const outcome = await withStorage(env, (tools) =>
    chooseSenderName(tools, OPERATOR, { companyId, name }),
  );
  if (outcome === 'no_company') throw new Refusal((say) => say.noCompany(companyId));
  if (outcome === 'not_registered') throw new Refusal((say) => say.senderUnknown(name ?? ''));
  return {
    facts: { company_id: companyId, sender: name },
    lines: [name === null ? texts.senderCleared(companyId) : texts.senderSet(companyId, name)],
  };
}
