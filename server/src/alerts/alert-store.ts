import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import type { MessageLanguage } from '@zhiber/contract/message/message-text.ts';
import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';
import type { Phone } from '../phone.ts';

export type AlertSettings = {
  threshold: number | null;
  /** Null: the members who may see the balance. */
  emails: string[] | null;
  tellsMembersInTelegram: boolean;
  telegramGroupId: number | null;
};

const SETTINGS_COLUMNS = `b.threshold, b.emails,
  b.tells_members_in_telegram as "tellsMembersInTelegram", b.telegram_group_id as "telegramGroupId"`;

export async function findAlert(
  sql: Sql,
  companyId: CompanyId,
): Promise<(AlertSettings & { announcedAt: Date | null }) | undefined> {
  const rows = await sql.query<AlertSettings & { announcedAt: Date | null }>(
    `select ${SETTINGS_COLUMNS}, b.announced_at as "announcedAt" from balance_alert b where b.company_id = $1`,
    [companyId],
  );
  return rows[0];
}

/** Another threshold is another question: whether it was announced is known anew. */
export async function storeAlert(
  tx: Transaction,
  companyId: CompanyId,
  settings: AlertSettings,
): Promise<void> {
  await tx.query(
    `insert into balance_alert as b (company_id, threshold, emails, tells_members_in_telegram, telegram_group_id)
     values ($1, $2, $3, $4, $5)
     on conflict (company_id) do update set threshold = excluded.threshold, emails = excluded.emails,
       tells_members_in_telegram = excluded.tells_members_in_telegram,
       telegram_group_id = excluded.telegram_group_id,
       is_announced = b.is_announced and b.threshold is not distinct from excluded.threshold`,
    [
      companyId,
      settings.threshold,
      settings.emails,
      settings.tellsMembersInTelegram,
      settings.telegramGroupId,
    ],
  );
}

export type AlertMember = { name: string; email: string | null; phone: Phone | null };

/** Members with one of these roles; the phone only of those who have proved it to the bot. */
export async function listAlertMembers(
  sql: Sql,
  companyId: CompanyId,
  roles: readonly Role[],
): Promise<AlertMember[]> {
  return await sql.query<AlertMember>(
    `select p.name, p.email, t.phone::text as phone
     from member m join person p on p.id = m.person_id
     left join telegram_person t on t.phone = p.phone::bigint
     where m.company_id = $1 and m.role = any ($2) order by m.joined_at, p.id`,
    [companyId, roles],
  );
}

export type AlertGroup = { id: number; name: string; chatId: string };

export async function listTelegramGroups(sql: Sql, companyId: CompanyId): Promise<AlertGroup[]> {
  return await sql.query<AlertGroup>(
    `select id, name, chat_id as "chatId" from messenger_group
     where company_id = $1 and channel = 'telegram' order by lower(name), id`,
    [companyId],
  );
}

const AVAILABLE = '(case when a.debt > 0 then 0 else a.balance - a.held end)';

/** Balances that have risen again: the next fall is announced again. */
export async function forgetRisen(sql: Sql): Promise<void> {
  await sql.query(
    `update balance_alert b set is_announced = false from account a
     where a.company_id = b.company_id and b.is_announced and ${AVAILABLE} >= b.threshold`,
    [],
    'forget-risen-balances',
  );
}

export type LowBalance = AlertSettings & {
  companyId: CompanyId;
  threshold: number;
  companyName: string;
  language: MessageLanguage;
  available: number;
};

/**
 * Takes a company whose balance has fallen below its threshold and was not announced since. The
 * conditional update lets one node take it. A node that dies before it has announced it leaves it to
 * the next, after the lease.
 */
export async function claimLowBalance(
  sql: Sql,
  { hoursMin, leaseSeconds }: { hoursMin: number; leaseSeconds: number },
): Promise<LowBalance | undefined> {
  const rows = await sql.query<LowBalance>(
    `with due as (
       select b.company_id from balance_alert b join account a on a.company_id = b.company_id
       where not b.is_announced and ${AVAILABLE} < b.threshold
         and (b.announced_at is null or b.announced_at < clock_timestamp() - make_interval(hours => $1))
         and (b.claimed_until is null or b.claimed_until < clock_timestamp())
       order by b.company_id limit 1 for update of b skip locked
     )
     update balance_alert b set claimed_until = clock_timestamp() + make_interval(secs => $2)
     from due join account a on a.company_id = due.company_id join company c on c.id = due.company_id
     where b.company_id = due.company_id
     returning b.company_id as "companyId", ${SETTINGS_COLUMNS},
       c.name as "companyName", c.language, ${AVAILABLE} as available`,
    [hoursMin, leaseSeconds],
    'claim-low-balance',
  );
  return rows[0];
}

/** With the event for the company's servers, once per fall. */
export async function markAnnounced(
  sql: Sql,
  { companyId, available, threshold }: LowBalance,
): Promise<void> {
  await sql.query(
    `with announced as (
       update balance_alert set is_announced = true, announced_at = clock_timestamp(), claimed_until = null
       where company_id = $1 and not is_announced returning company_id)
     select add_company_event(company_id, 'balance.low', $2) from announced`,
    [companyId, { balance: Math.max(available, 0), threshold }],
  );
}
