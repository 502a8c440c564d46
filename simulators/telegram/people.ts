/** People who use the bot. Each act posts its updates to the webhook; returns the last status. */
import { BadRequest } from '../frame/request-fields.ts';
import { type Chat, type Chats, toChatObject } from './chats.ts';
import { nowSeconds, type Webhook } from './webhook.ts';

export type Person = { userId: number; phone: string; name: string };

export type TelegramPeople = {
  /** Opens the bot and presses its Start button. */
  start(person: Person, payload?: string): Promise<number>;
  /** Presses the button that shares one's own phone. */
  shareContact(person: Person): Promise<number>;
  /** A shared phone, reported by somebody who does not know the secret token. */
  forgeContact(person: Person): Promise<number>;
  /** Sends the contact of somebody else from the address book. */
  shareForeignContact(person: Person, other: Person): Promise<number>;
  /** Forwards an old message with one's own contact and the phone of that time. */
  forwardContact(person: Person, oldPhone: string): Promise<number>;
  say(person: Person, text: string): Promise<number>;
  block(person: Person): Promise<number>;
  /** Lets the bot in again from the settings of Telegram, without a word to it. */
  unblock(person: Person): Promise<number>;
  addBotToGroup(group: { chatId: number; title: string }): Promise<number>;
  /** Follows a link of the kind t.me/bot?startgroup=…, and chooses a group. */
  addBotByLink(group: { chatId: number; title: string; payload: string }): Promise<number>;
  /** Somebody writes into a group of the bot; a text that starts with a slash is a command. */
  sayInGroup(chatId: number, text: string): Promise<number>;
  removeBotFromGroup(chatId: number): Promise<number>;
  /** Returns the new id of the group. */
  upgradeGroup(chatId: number): Promise<number>;
};

type Parts = { chats: Chats; webhook: Webhook; bot: { username: string } };

export function createPeople(parts: Parts): TelegramPeople {
  const updates = createUpdates(parts);
  return { ...personActs(parts.chats, updates), ...groupActs(parts, updates) };
}

type Updates = ReturnType<typeof createUpdates>;

function createUpdates({ webhook, bot }: Parts) {
  let lastMessageId = 500;
  const toMessage = (chat: Chat, from: object, content: object) => {
    lastMessageId += 1;
    const head = { message_id: lastMessageId, from, chat: toChatObject(chat) };
    return { message: { ...head, date: nowSeconds(), ...content } };
  };
  return {
    message: (...of: Parameters<typeof toMessage>) => webhook.post(toMessage(...of)),
    forge: (...of: Parameters<typeof toMessage>) => webhook.forge(toMessage(...of)),
    /** The bot's membership in a chat changes. */
    membership(chat: Chat, from: object, statuses: readonly [old: string, now: string]) {
      const [old_chat_member, new_chat_member] = statuses.map((status) => ({ user: bot, status }));
      const head = { chat: toChatObject(chat), from, date: nowSeconds() };
      return webhook.post({ my_chat_member: { ...head, old_chat_member, new_chat_member } });
    },
  };
}

function personActs(chats: Chats, { message, forge, membership }: Updates) {
  const findOrOpenChat = ({ userId, name }: Person): Chat =>
    chats.find(userId) ?? chats.open({ id: userId, type: 'private', name });
  const send = (person: Person, content: object) =>
    message(findOrOpenChat(person), toUser(person), content);
  const unblock = (person: Person) => {
    const chat = findOrOpenChat(person);
    chat.isOpen = true;
    return membership(chat, toUser(person), ['kicked', 'member']);
  };
  return {
    unblock,
    async start(person: Person, payload?: string) {
      if (!findOrOpenChat(person).isOpen) await unblock(person);
      const text = payload === undefined ? '/start' : `/start ${payload}`;
      return await send(person, {
        text,
        entities: [{ type: 'bot_command', offset: 0, length: 6 }],
      });
    },
    shareContact: (person: Person) => send(person, { contact: toContact(person) }),
    forgeContact: (person: Person) =>
      forge(findOrOpenChat(person), toUser(person), { contact: toContact(person) }),
    shareForeignContact: (person: Person, other: Person) =>
      send(person, { contact: toContact(other) }),
    forwardContact: (person: Person, oldPhone: string) =>
      send(person, {
        contact: toContact({ ...person, phone: oldPhone }),
        forward_origin: { type: 'user', sender_user: toUser(person), date: nowSeconds() },
      }),
    say: (person: Person, text: string) => send(person, { text }),
    block(person: Person) {
      const chat = findOrOpenChat(person);
      chat.isOpen = false;
      return membership(chat, toUser(person), ['member', 'kicked']);
    },
  };
}

type Group = { chatId: number; title: string };

function groupActs({ chats, bot }: Parts, { message, membership }: Updates) {
  const find = (chatId: number): Chat => {
    const found = chats.find(chatId);
    if (found === undefined) throw new BadRequest(`The bot was never in a group ${chatId}.`);
    return found;
  };
  const addBotToGroup = async ({ chatId, title }: Group) => {
    const chat = chats.open({ id: chatId, type: groupType(chatId), name: title });
    await membership(chat, ADMIN, ['left', 'member']);
    return await message(chat, ADMIN, { new_chat_members: [bot] });
  };
  const command = (chatId: number, text: string) =>
    message(find(chatId), ADMIN, {
      text,
      entities: [{ type: 'bot_command', offset: 0, length: text.split(' ')[0]?.length }],
    });
  return {
    addBotToGroup,
    async addBotByLink({ payload, ...group }: Group & { payload: string }) {
      await addBotToGroup(group);
      return await command(group.chatId, `/start@${bot.username} ${payload}`);
    },
    sayInGroup: (chatId: number, text: string) =>
      text.startsWith('/') ? command(chatId, text) : message(find(chatId), ADMIN, { text }),
    removeBotFromGroup(chatId: number) {
      const chat = find(chatId);
      chat.isOpen = false;
      return membership(chat, ADMIN, ['member', chat.type === 'group' ? 'left' : 'kicked']);
    },
    async upgradeGroup(chatId: number) {
      const chat = find(chatId);
      const upgraded = chats.upgrade(chat);
      await membership(upgraded, ADMIN, ['left', 'member']);
      await message(chat, ADMIN, { migrate_to_chat_id: upgraded.id });
      await message(upgraded, ADMIN, { migrate_from_chat_id: chatId });
      return upgraded.id;
    },
  };
}

const ADMIN = { id: 9_000_001, is_bot: false, first_name: 'Админ' };

function groupType(chatId: number): 'group' | 'supergroup' {
  return chatId <= -1_000_000_000_000 ? 'supergroup' : 'group';
}

function toUser({ userId, name }: Person): object {
  return { id: userId, is_bot: false, first_name: name, language_code: 'ru' };
}

function toContact({ userId, phone, name }: Person): object {
  return { phone_number: phone, first_name: name, user_id: userId };
}
