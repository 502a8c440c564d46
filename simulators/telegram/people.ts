/** People who use the bot. Each act posts its updates to the webhook and tells the last status. */
import { BadRequest } from '../frame/given.ts';
import { type Chat, type Chats, toChatObject } from './chats.ts';
import { nowSeconds, type Webhook } from './webhook.ts';

export type Person = { userId: number; phone: string; name: string };

export type TelegramPeople = {
  /** Opens the bot and presses its Start button. */
  start(person: Person, payload?: string): Promise<number>;
  /** Presses the button that shares one's own phone. */
  shareContact(person: Person): Promise<number>;
  /** Not Telegram, but somebody who does not know the secret token, tells of a shared phone. */
  forgeContact(person: Person): Promise<number>;
  /** Sends the contact of somebody else from the address book. */
  shareForeignContact(person: Person, other: Person): Promise<number>;
  /** Forwards a message that holds one's own contact, with the phone of that time. */
  forwardContact(person: Person, oldPhone: string): Promise<number>;
  say(person: Person, text: string): Promise<number>;
  block(person: Person): Promise<number>;
  addBotToGroup(group: { chatId: number; title: string }): Promise<number>;
  /** Follows a link of the kind t.me/bot?startgroup=…, and chooses a group. */
  addBotByLink(group: { chatId: number; title: string; payload: string }): Promise<number>;
  /** Somebody writes into a group that the bot is in; it hears commands that are meant for it. */
  sayInGroup(chatId: number, text: string): Promise<number>;
  removeBotFromGroup(chatId: number): Promise<number>;
  /** Tells the new id of the group. */
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
  const messageOf = (chat: Chat, from: object, content: object) => {
    lastMessageId += 1;
    const head = { message_id: lastMessageId, from, chat: toChatObject(chat) };
    return { message: { ...head, date: nowSeconds(), ...content } };
  };
  return {
    message: (...of: Parameters<typeof messageOf>) => webhook.post(messageOf(...of)),
    forge: (...of: Parameters<typeof messageOf>) => webhook.forge(messageOf(...of)),
    /** What the bot was in a chat, and what it is from now on. */
    standing(chat: Chat, from: object, statuses: readonly [old: string, now: string]) {
      const [old_chat_member, new_chat_member] = statuses.map((status) => ({ user: bot, status }));
      const head = { chat: toChatObject(chat), from, date: nowSeconds() };
      return webhook.post({ my_chat_member: { ...head, old_chat_member, new_chat_member } });
    },
  };
}

function personActs(chats: Chats, { message, forge, standing }: Updates) {
  const chatOf = ({ userId, name }: Person): Chat =>
    chats.find(userId) ?? chats.open({ id: userId, type: 'private', name });
  const send = (person: Person, content: object) =>
    message(chatOf(person), userOf(person), content);
  return {
    async start(person: Person, payload?: string) {
      const chat = chatOf(person);
      if (!chat.isOpen) {
        chat.isOpen = true;
        await standing(chat, userOf(person), ['kicked', 'member']);
      }
      const text = payload === undefined ? '/start' : `/start ${payload}`;
      return await send(person, {
        text,
        entities: [{ type: 'bot_command', offset: 0, length: 6 }],
      });
    },
    shareContact: (person: Person) => send(person, { contact: contactOf(person) }),
    forgeContact: (person: Person) =>
      forge(chatOf(person), userOf(person), { contact: contactOf(person) }),
    shareForeignContact: (person: Person, other: Person) =>
      send(person, { contact: contactOf(other) }),
    forwardContact: (person: Person, oldPhone: string) =>
      send(person, {
        contact: contactOf({ ...person, phone: oldPhone }),
        forward_origin: { type: 'user', sender_user: userOf(person), date: nowSeconds() },
      }),
    say: (person: Person, text: string) => send(person, { text }),
    block(person: Person) {
      const chat = chatOf(person);
      chat.isOpen = false;
      return standing(chat, userOf(person), ['member', 'kicked']);
    },
  };
}

type Group = { chatId: number; title: string };

function groupActs({ chats, bot }: Parts, { message, standing }: Updates) {
  const find = (chatId: number): Chat => {
    const found = chats.find(chatId);
    if (found === undefined) throw new BadRequest(`The bot was never in a group ${chatId}.`);
    return found;
  };
  const addBotToGroup = async ({ chatId, title }: Group) => {
    const chat = chats.open({ id: chatId, type: typeOf(chatId), name: title });
    await standing(chat, ADMIN, ['left', 'member']);
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
      return standing(chat, ADMIN, ['member', chat.type === 'group' ? 'left' : 'kicked']);
    },
    async upgradeGroup(chatId: number) {
      const chat = find(chatId);
      const upgraded = chats.upgrade(chat);
      await standing(upgraded, ADMIN, ['left', 'member']);
      await message(chat, ADMIN, { migrate_to_chat_id: upgraded.id });
      await message(upgraded, ADMIN, { migrate_from_chat_id: chatId });
      return upgraded.id;
    },
  };
}

const ADMIN = { id: 9_000_001, is_bot: false, first_name: 'Админ' };

function typeOf(chatId: number): 'group' | 'supergroup' {
  return chatId <= -1_000_000_000_000 ? 'supergroup' : 'group';
}

function userOf({ userId, name }: Person): object {
  return { id: userId, is_bot: false, first_name: name, language_code: 'ru' };
}

function contactOf({ userId, phone, name }: Person): object {
  return { phone_number: phone, first_name: name, user_id: userId };
}
