import type { AttemptRef, Receipt } from '../../channels/channel.ts';
import type { GroupStatement, Sql } from '../../db/group-commit.ts';
import type { CompanyId, MessageId } from '../../ids.ts';
import type { Phone } from '../../phone.ts';

export type GivenIds = { ref: AttemptRef; providerIds: readonly string[] };

/** Ties the ids that providers gave to the attempts they gave them to; false for one given twice. */
export const rememberIds: GroupStatement<GivenIds, boolean> = {
  name: 'remember provider ids',
  itemsMax: 512,
  waitingMax: 8_192,
  async run(sql, items) {
    const flat = items.flatMap(({ ref, providerIds }, item) =>
      providerIds.map((providerId) => ({ item, providerId, ref, parts: providerIds.length })),
    );
    const rows = await sql.query<{ ord: number; is_ours: boolean }>(
      'select ord, is_ours from remember_provider_ids($1, $2, $3, $4, $5)',
      [
        flat.map(({ providerId }) => providerId),
        flat.map(({ ref }) => ref.companyId),
        flat.map(({ ref }) => ref.messageId),
        flat.map(({ ref }) => ref.attempt),
        flat.map(({ parts }) => parts),
      ],
      'remember-provider-ids',
    );
    const areOurs = items.map(() => true);
    for (const { ord, is_ours } of rows) {
      const part = flat[ord - 1];
      if (part !== undefined && !is_ours) areOurs[part.item] = false;
    }
    return areOurs;
  },
};

export type IdReport = { providerId: string; receipt: Receipt; reason?: string | undefined };

export type RecordedById = {
  /** Undefined while nobody knows whose id it is. */
  message: { companyId: CompanyId; messageId: MessageId } | undefined;
  mayFallBack: boolean;
};

/** Receipts that name their message by the provider's id. */
export const recordReceiptsById: GroupStatement<IdReport, RecordedById> = {
  name: 'record receipt by id',
  itemsMax: 512,
  waitingMax: 65_536,
  gatherMs: 25,
  async run(sql, items) {
    const rows = await sql.query<{
      company_id: CompanyId | null;
      message_id: MessageId | null;
      may_fall_back: boolean;
    }>(
      `select company_id, message_id, may_fall_back
       from record_provider_receipts($1, $2::text[]::receipt[], $3)`,
      [
        items.map((item) => item.providerId),
        items.map((item) => item.receipt),
        items.map((item) => item.reason ?? null),
      ],
      'record-provider-receipts',
    );
    return rows.map(({ company_id, message_id, may_fall_back }) => ({
      message:
        company_id === null || message_id === null
          ? undefined
          : { companyId: company_id, messageId: message_id },
      mayFallBack: may_fall_back,
    }));
  },
};

/** The attempt that a provider gave this id to, and the phone it went to. */
export async function findByProviderId(
  sql: Sql,
  providerId: string,
): Promise<{ ref: AttemptRef; to: Phone } | undefined> {
  const rows = await sql.query<{
    company_id: CompanyId;
    message_id: MessageId;
    attempt: number;
    recipient: Phone;
  }>(
    `select f.company_id, f.message_id, f.attempt, m.recipient::text as recipient
     from provider_ref f
     join message m on m.company_id = f.company_id and m.id = f.message_id
     where f.provider_id = $1`,
    [providerId],
    'find-by-provider-id',
  );
  const found = rows[0];
  if (found === undefined) return undefined;
  const { company_id: companyId, message_id: messageId, attempt, recipient: to } = found;
  return { ref: { companyId, messageId, attempt }, to };
}
