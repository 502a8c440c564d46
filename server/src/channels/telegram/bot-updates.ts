import { asObject, type JsonObject, readObject } from '../../json-object.ts';
import { parsePhone } from '../../phone.ts';
import { isSameSecret } from '../../token.ts';
import { GROUP_WORD } from '../group-word.ts';
import type { CallbackContent, CallbackRequest, Contact, GroupClaim } from '../provider.ts';
import { isStopWord } from '../stop-word.ts';
import { sayTo } from './bot-words.ts';

/** The kinds of updates that are read here, and that Telegram is asked to send. */
export const ALLOWED_UPDATES = ['message', 'my_chat_member'] as const;

const START = /^\/start(?:@\w+)?(?:\s|$)/;
/**
 * Sent by Telegram when the bot is added through a link, or typed by a person. A bot that is not an
 * administrator of the group receives a command only when it names the bot.
 */
const CLAIM = new RegExp(`^/start(?:@\\w+)?\\s+(${GROUP_WORD.source})\\s*$`);
const NO_CONTENT: CallbackContent = { reports: [] };

/** Reads updates of the bot; undefined for one that does not carry the secret of the webhook. */
export function createUpdateReader(secretToken: string) {
  const returns = createReturns();
  return (request: CallbackRequest): CallbackContent | undefined => {
    const { method, headers, body } = request;
    const isAuthentic = isSameSecret(headers['x-telegram-bot-api-secret-token'], secretToken);
    if (method !== 'POST' || !isAuthentic) return undefined;
    const update = readObject(body.toString('utf8'));
    const message = asObject(update?.message);
    const member = asObject(update?.my_chat_member);
    if (message !== undefined) return readMessage(message, returns);
    return member === undefined ? NO_CONTENT : readMembership(member, returns);
  };
}

/**
 * People who have just let the bot in again. By its Start button two updates come, first the return
 * and then the command, and only one is answered.
 */
type Returns = { add(chatId: string): void; take(chatId: string): boolean };

const RETURN_MS = 3_000;

function createReturns(): Returns {
  let returnedAtMs = new Map<string, number>();
  return {
    add(chatId) {
      const now = performance.now();
      returnedAtMs = new Map([...returnedAtMs].filter(([, atMs]) => now - atMs < RETURN_MS));
      returnedAtMs.set(chatId, now);
    },
    take(chatId) {
      const atMs = returnedAtMs.get(chatId) ?? Number.NEGATIVE_INFINITY;
      returnedAtMs.delete(chatId);
      return performance.now() - atMs < RETURN_MS;
    },
  };
}

function readMessage(message: JsonObject, returns: Returns): CallbackContent {
  const chat = readChat(message.chat);
  if (chat === undefined) return NO_CONTENT;
  if (chat.type !== 'private') return readClaim(chat, message) ?? readMove(chat.id, message);
  const contact = asObject(message.contact);
  if (contact !== undefined) return readContact(chat.id, message, contact);
  if (isStopWord(message.text)) {
    return { reports: [], stops: [{ chatId: chat.id }], answer: sayTo(chat.id, 'stopped') };
  }
  const isStart = typeof message.text === 'string' && START.test(message.text);
  return isStart && !returns.take(chat.id) ? askForPhone(chat.id) : NO_CONTENT;
}

function readClaim(
  { id: chatId, title }: { id: string; title: string },
  { text }: JsonObject,
): CallbackContent | undefined {
  const word = CLAIM.exec(typeof text === 'string' ? text : '')?.[1];
  if (word === undefined) return undefined;
  const answers: GroupClaim['answers'] = {
    linked: sayTo(chatId, 'group_linked'),
    unknown: sayTo(chatId, 'group_unknown'),
  };
  return {
    ...content({ kind: 'telegram_group', chatId, title }),
    claim: { channel: 'telegram', chatId, title, word, answers },
  };
}

/** An upgraded group gets a new id, which is announced in the old chat and in the new one. */
function readMove(chatId: string, message: JsonObject): CallbackContent {
  const newChatId = readId(message.migrate_to_chat_id);
  const oldChatId = readId(message.migrate_from_chat_id);
  if (newChatId !== undefined) return content({ kind: 'telegram_group_moved', chatId, newChatId });
  if (oldChatId === undefined) return NO_CONTENT;
  return content({ kind: 'telegram_group_moved', chatId: oldChatId, newChatId: chatId });
}

/**
 * Telegram puts the user id of a phone's owner into a contact, so a person's own contact proves the
 * phone. A forwarded contact does not: it may be older than a change of number.
 */
function readContact(chatId: string, message: JsonObject, contact: JsonObject): CallbackContent {
  const sender = readId(asObject(message.from)?.id);
  const phone = parsePhone(`+${String(contact.phone_number).replace(/^\+/, '')}`)?.phone;
  const isOwn = sender !== undefined && readId(contact.user_id) === sender;
  if (!isOwn || message.forward_origin !== undefined || phone === undefined) {
    return { reports: [], answer: sayTo(chatId, 'refuse_foreign_phone') };
  }
  const name = [contact.first_name, contact.last_name].filter((part) => typeof part === 'string');
  return {
    ...content({ kind: 'telegram_person', phone, chatId, name: name.join(' ') }),
    answer: sayTo(chatId, 'thank'),
  };
}

/**
 * The membership of the bot in a chat. In a private chat, `kicked` means that it was blocked, which
 * has removed the phone: who lets the bot in again has to share it again.
 */
function readMembership(member: JsonObject, returns: Returns): CallbackContent {
  const chat = readChat(member.chat);
  const bot = asObject(member.new_chat_member);
  if (chat === undefined || bot === undefined) return NO_CONTENT;
  const { id: chatId, title } = chat;
  const isMember = isPresent(bot);
  if (chat.type === 'private') {
    if (!isMember) return content({ kind: 'telegram_person_gone', chatId });
    returns.add(chatId);
    return askForPhone(chatId);
  }
  return content(
    isMember ? { kind: 'telegram_group', chatId, title } : { kind: 'telegram_group_gone', chatId },
  );
}

function askForPhone(chatId: string): CallbackContent {
  return { reports: [], answer: sayTo(chatId, 'ask_for_phone') };
}

const PRESENT = new Set<unknown>(['creator', 'administrator', 'member']);

function isPresent({ status, is_member }: JsonObject): boolean {
  return status === 'restricted' ? is_member === true : PRESENT.has(status);
}

const CHAT_TYPES = new Set<unknown>(['private', 'group', 'supergroup']);

/** Undefined for channels too: they are not groups, and nobody writes to the bot there. */
function readChat(value: unknown): { id: string; type: string; title: string } | undefined {
  const chat = asObject(value);
  const id = readId(chat?.id);
  if (chat === undefined || id === undefined || !CHAT_TYPES.has(chat.type)) return undefined;
  return { id, type: String(chat.type), title: String(chat.title ?? '') };
}

/** Ids have at most 52 bits, so a number holds them exactly; from here on they are text. */
function readId(value: unknown): string | undefined {
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

function content(contact: Contact): CallbackContent {
  return { reports: [], contacts: [contact] };
}
