import { blockPerson } from '../../accounts/block-person.ts';
import { findByContact } from '../../accounts/person-store.ts';
import { parsePhone } from '../../phone.ts';
import { type Command, Refusal } from '../grammar/command.ts';
import { requiredName } from '../grammar/values.ts';
import { type Tools, withStorage } from '../with-storage.ts';
import { REASON_LENGTH_MAX } from './company.ts';

export const personBlock: Command = {
  name: 'person block',
  usage: 'PHONE|EMAIL --reason TEXT',
  summary: {
    en: 'Ends all sessions of a person, who cannot sign in any more',
    ru: 'Завершает все сеансы человека и закрывает ему вход',
  },
  options: { reason: 'text' },
  operands: ['PHONE|EMAIL'],
  async run({ given, env, texts }) {
    const contact = given.operands[0] as string;
    const reason = requiredName(given, 'reason', REASON_LENGTH_MAX);
    await withStorage(env, (tools) => setBlocked(tools, contact, reason));
    return { facts: { person: contact, blocked: true }, lines: [texts.personBlocked(contact)] };
  },
};

export const personUnblock: Command = {
  name: 'person unblock',
  usage: 'PHONE|EMAIL',
  summary: { en: 'Lets a blocked person sign in again', ru: 'Снова пускает человека в кабинет' },
  operands: ['PHONE|EMAIL'],
  async run({ given, env, texts }) {
    const contact = given.operands[0] as string;
    await withStorage(env, (tools) => setBlocked(tools, contact, undefined));
    return { facts: { person: contact, blocked: false }, lines: [texts.personUnblocked(contact)] };
  },
};

async function setBlocked(tools: Tools, contact: string, reason: string | undefined) {
  const phone = parsePhone(contact)?.phone;
  const person = await findByContact(
    tools.db,
    phone === undefined ? { email: contact.toLowerCase() } : { phone },
  );
  if (person === undefined) throw new Refusal((say) => say.noPerson(contact));
  if (await blockPerson(tools, { person, reason })) return;
  throw new Refusal((say) =>
    reason === undefined ? say.notBlocked(contact) : say.alreadyBlocked(contact),
  );
}
