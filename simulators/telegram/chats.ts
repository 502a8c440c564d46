import type { Parameters } from './parameters.ts';
import { moved, REFUSALS, type Refusal } from './refusals.ts';

export type Chat = {
  id: number;
  type: 'private' | 'group' | 'supergroup';
  /** A person's name, or a group's title. */
  name: string;
  /** Whether the bot may write: not blocked by the person, not removed from the group. */
  isOpen: boolean;
  /** The new id of a group that was upgraded. */
  newId?: number;
};

export type Chats = {
  find(id: number): Chat | undefined;
  open(chat: Omit<Chat, 'isOpen'>): Chat;
  /** Gives a group a new id, as Telegram does when it becomes a supergroup. */
  upgrade(group: Chat): Chat;
};

const TEXT_LENGTH_MAX = 4_096;

export function createChats(): Chats {
  const chats = new Map<number, Chat>();
  const store: Chats = {
    find: (id) => chats.get(id),
    open(chat) {
      const opened = { ...chat, isOpen: true };
      chats.set(chat.id, opened);
      return opened;
    },
    upgrade(group) {
      // Ids of supergroups are -100 and ten more digits.
      group.newId = -(1_000_000_000_000 + (Math.abs(group.id) % 10_000_000_000));
      return store.open({ id: group.newId, type: 'supergroup', name: group.name });
    },
  };
  return store;
}

/** A chat in the format of the Bot API. */
export function toChatObject({ id, type, name }: Chat): object {
  return type === 'private' ? { id, type, first_name: name } : { id, type, title: name };
}

/** The chat that a message may go to, or the refusal. */
export function findWritable(chats: Chats, parameters: Parameters): Chat | Refusal {
  const { chat_id: id, text, reply_markup: markup } = parameters;
  if (id === undefined || id === '') return REFUSALS.chat_id_empty;
  if (typeof text !== 'string' || text.trim() === '') return REFUSALS.empty;
  const chat = chats.find(Number(id));
  if (chat === undefined) return REFUSALS.chat_not_found;
  if (chat.newId !== undefined) return moved(chat.newId);
  if (!chat.isOpen) return CLOSED[chat.type];
  if (text.length > TEXT_LENGTH_MAX) return REFUSALS.too_long;
  const asksForPhone = JSON.stringify(markup ?? {}).includes('"request_contact":true');
  return asksForPhone && chat.type !== 'private' ? REFUSALS.phone_in_a_group : chat;
}

const CLOSED: Record<Chat['type'], Refusal> = {
  private: REFUSALS.blocked,
  group: REFUSALS.kicked,
  supergroup: REFUSALS.kicked_from_supergroup,
};
