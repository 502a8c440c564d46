import type { Contact } from '../channels/provider.ts';
import type { Sql } from '../db/group-commit.ts';
import type { Phone } from '../phone.ts';

type Statement = { text: string; values: readonly unknown[] };

/** Writes down that somebody can be written to, or cannot any more. Repeats are harmless. */
export async function recordContact(sql: Sql, contact: Contact): Promise<void> {
  for (const { text, values } of statementsFor(contact)) await sql.query(text, values);
}

function statementsFor(contact: Contact): Statement[] {
  switch (contact.kind) {
    case 'telegram_person':
      return [
        // A number changes hands: whoever proved it last has it.
        {
          text: 'delete from telegram_person where phone = $1 and chat_id <> $2',
          values: [contact.phone, contact.chatId],
        },
        {
          text: `insert into telegram_person (chat_id, phone, name) values ($1, $2, $3)
            on conflict (chat_id) do update set phone = excluded.phone, name = excluded.name,
              linked_at = clock_timestamp()`,
          values: [contact.chatId, contact.phone, contact.name],
        },
      ];
    case 'telegram_person_gone':
      return [{ text: 'delete from telegram_person where chat_id = $1', values: [contact.chatId] }];
    case 'telegram_group':
      return [
        {
          text: `insert into telegram_group (chat_id, title) values ($1, $2)
            on conflict (chat_id) do update set title = excluded.title, left_at = null`,
          values: [contact.chatId, contact.title],
        },
      ];
    case 'telegram_group_gone':
      return [
        {
          text: 'update telegram_group set left_at = clock_timestamp() where chat_id = $1',
          values: [contact.chatId],
        },
      ];
    case 'telegram_group_moved':
      return [
        {
          text: `insert into telegram_group (chat_id, title)
            select $2, g.title from telegram_group g where g.chat_id = $1
            on conflict (chat_id) do update set left_at = null`,
          values: [contact.chatId, contact.newChatId],
        },
        {
          text: 'update telegram_group set left_at = clock_timestamp() where chat_id = $1',
          values: [contact.chatId],
        },
        {
          text: `update messenger_group set chat_id = $2 where channel = 'telegram' and chat_id = $1`,
          values: [contact.chatId, contact.newChatId],
        },
        {
          text: 'update group_invitation set chat_id = $2 where chat_id = $1',
          values: [contact.chatId, contact.newChatId],
        },
      ];
    case 'whatsapp_window':
      return [
        {
          text: `insert into whatsapp_window as w (phone, open_until)
            values ($1, $2::timestamptz + interval '24 hours')
            on conflict (phone) do update set open_until = greatest(w.open_until, excluded.open_until)`,
          values: [contact.phone, contact.openedAt],
        },
      ];
  }
}

/** The chat of somebody who has proved this phone to the bot. */
export async function findTelegramChat(sql: Sql, phone: Phone): Promise<string | undefined> {
  const rows = await sql.query<{ chat_id: string }>(
    'select chat_id from telegram_person where phone = $1',
    [phone],
    'find-telegram-chat',
  );
  return rows[0]?.chat_id;
}

/** Whether this phone wrote to the business within the last day, with a minute to spare. */
export async function isWhatsappWindowOpen(sql: Sql, phone: Phone): Promise<boolean> {
  const rows = await sql.query<{ is_open: boolean }>(
    `select open_until > clock_timestamp() + interval '1 minute' as is_open
     from whatsapp_window where phone = $1`,
    [phone],
    'find-whatsapp-window',
  );
  return rows[0]?.is_open ?? false;
}
