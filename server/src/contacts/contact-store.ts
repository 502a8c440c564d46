import type { Contact } from '../channels/provider.ts';
import type { Database } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { Phone } from '../phone.ts';

type Statement = { text: string; values: readonly unknown[] };

/** Stores a change in who can be reached. Repeating it is harmless. */
export async function recordContact(db: Database, contact: Contact): Promise<void> {
  const statements = statementsFor(contact);
  const runAll = async (sql: Sql) => {
    for (const { text, values } of statements) await sql.query(text, values);
  };
  await (statements.length === 1 ? runAll(db) : db.transaction(runAll));
}

function statementsFor(contact: Contact): Statement[] {
  switch (contact.kind) {
    case 'telegram_person':
      return [
        // A number can change owners: the last person to prove it has it.
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
      return statementsForMove(contact);
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

function statementsForMove({
  chatId,
  newChatId,
}: Extract<Contact, { kind: 'telegram_group_moved' }>): Statement[] {
  const both = [chatId, newChatId];
  return [
    // Both chats announce the move, often at the same time; the lock makes one wait for the other.
    {
      text: `select from messenger_group where channel = 'telegram' and chat_id in ($1, $2)
        order by id for update`,
      values: both,
    },
    // A company that has linked both ids keeps the one it posted to last, because that name is in
    // use, or the new one when it posted to neither.
    {
      text: `delete from messenger_group gone using messenger_group kept
        where gone.channel = 'telegram' and kept.channel = 'telegram'
          and gone.company_id = kept.company_id
          and ((gone.chat_id = $1 and kept.chat_id = $2) or (gone.chat_id = $2 and kept.chat_id = $1))
          and (coalesce(gone.posted_at, '-infinity'), gone.chat_id = $2)
            < (coalesce(kept.posted_at, '-infinity'), kept.chat_id = $2)`,
      values: both,
    },
    {
      text: `insert into telegram_group (chat_id, title)
        select $2, g.title from telegram_group g where g.chat_id = $1
        on conflict (chat_id) do update set left_at = null`,
      values: both,
    },
    {
      text: 'update telegram_group set left_at = clock_timestamp() where chat_id = $1',
      values: [chatId],
    },
    {
      text: `update messenger_group set chat_id = $2 where channel = 'telegram' and chat_id = $1`,
      values: both,
    },
    {
      text: `update group_invitation set chat_id = $2 where chat_id = $1 and channel = 'telegram'`,
      values: both,
    },
  ];
}

/** The chat of the person who has proved this phone to the bot. */
export async function findTelegramChat(sql: Sql, phone: Phone): Promise<string | undefined> {
  const rows = await sql.query<{ chat_id: string }>(
    'select chat_id from telegram_person where phone = $1',
    [phone],
    'find-telegram-chat',
  );
  return rows[0]?.chat_id;
}

/** The phone that a person has shared in their chat with the bot. */
export async function findPhoneOfChat(sql: Sql, chatId: string): Promise<Phone | undefined> {
  const rows = await sql.query<{ phone: Phone }>(
    'select phone::text as phone from telegram_person where chat_id = $1',
    [chatId],
    'find-phone-of-chat',
  );
  return rows[0]?.phone;
}

/** Whether this phone wrote to the business within 24 hours, with a margin of one minute. */
export async function isWhatsappWindowOpen(sql: Sql, phone: Phone): Promise<boolean> {
  const rows = await sql.query<{ is_open: boolean }>(
    `select open_until > clock_timestamp() + interval '1 minute' as is_open
     from whatsapp_window where phone = $1`,
    [phone],
    'find-whatsapp-window',
  );
  return rows[0]?.is_open ?? false;
}
