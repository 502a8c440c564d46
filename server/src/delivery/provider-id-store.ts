import type { AttemptRef, Receipt } from '../channels/channel.ts';
import type { ProviderIds } from '../channels/combine-providers.ts';
import { callFunction } from '../db/call-function.ts';
import type { GroupStatement } from '../db/group-commit.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId, MessageId } from '../ids.ts';
import type { Phone } from '../phone.ts';

/** Phones are compared by so many of their last digits: centres write the country code or not. */
const PHONE_TAIL_DIGITS = 10;
/** Fewer digits are a short number, which may be of the sender. */
const PHONE_DIGITS_MIN = 7;

/** Null when the text is no phone. */
function phoneTail(text: string | undefined): number | null {
  const digits = text?.replaceAll(/[^0-9]/g, '') ?? '';
  if (digits.length < PHONE_DIGITS_MIN || /[A-Za-z]/.test(text ?? '')) return null;
  return Number(digits.slice(-PHONE_TAIL_DIGITS));
}

const REMEMBER = { name: 'remember_ids', columns: 'ord, is_ours' };
const RECORD_BY_ID = {
  name: 'record_receipts_by_id',
  columns: 'company_id, message_id, may_fall_back, is_new',
  casts: { p_receipt: '::text[]::receipt[]' },
};

/**
 * Records the attempt of each provider id. False when another attempt already has the id, and the
 * provider gives each once.
 */
export const rememberIds: GroupStatement<ProviderIds, boolean> = {
  name: 'remember provider ids',
  itemsMax: 512,
  waitingMax: 8_192,
  async run(sql, items) {
    const flat = items.flatMap(({ ref, providerIds, phone }, item) => {
      const tail = phoneTail(phone) ?? 0;
      return providerIds.map((id) => ({ item, id, tail, ref, parts: providerIds.length }));
    });
    const rows = await callFunction<{ ord: number; is_ours: boolean }>(sql, REMEMBER, {
      p_provider_id: flat.map(({ id }) => id),
      p_tail: flat.map(({ tail }) => tail),
      p_company: flat.map(({ ref }) => ref.companyId),
      p_id: flat.map(({ ref }) => ref.messageId),
      p_attempt: flat.map(({ ref }) => ref.attempt),
      p_parts: flat.map(({ parts }) => parts),
    });
    const areOurs = items.map(() => true);
    for (const { ord, is_ours } of rows) {
      const part = flat[ord - 1];
      if (part !== undefined && !is_ours) areOurs[part.item] = false;
    }
    return areOurs;
  },
};

export type IdReport = {
  providerId: string;
  /** As the provider writes it; only of one whose ids repeat. */
  phone?: string | undefined;
  receipt: Receipt;
  reason?: string | undefined;
};

export type RecordedById = {
  /** Undefined until the id is linked to an attempt. */
  message: { companyId: CompanyId; messageId: MessageId } | undefined;
  mayFallBack: boolean;
  /** False for a repetition, and until the id is linked. */
  isNew: boolean;
};

/** Records receipts that name the message by the provider's id. */
export const recordReceiptsById: GroupStatement<IdReport, RecordedById> = {
  name: 'record receipt by id',
  itemsMax: 512,
  waitingMax: 65_536,
  gatherMs: 25,
  async run(sql, items) {
    type Row = {
      company_id: CompanyId | null;
      message_id: MessageId | null;
      may_fall_back: boolean;
      is_new: boolean;
    };
    const rows = await callFunction<Row>(sql, RECORD_BY_ID, {
      p_provider_id: items.map((item) => item.providerId),
      p_tail: items.map((item) => phoneTail(item.phone)),
      p_receipt: items.map((item) => item.receipt),
      p_reason: items.map((item) => item.reason ?? null),
    });
    return rows.map(({ company_id, message_id, may_fall_back, is_new }) => ({
      message:
        company_id === null || message_id === null
          ? undefined
          : { companyId: company_id, messageId: message_id },
      mayFallBack: may_fall_back,
      isNew: is_new,
    }));
  },
};

export type SentId = { providerId: string; phone: Phone };

/**
 * The attempts that have these ids, in their order, among the newest messages to their phones.
 * Undefined where there is none.
 */
export async function findSent(
  sql: Sql,
  sent: readonly SentId[],
): Promise<(AttemptRef | undefined)[]> {
  type Row = { ord: number; company_id: CompanyId; message_id: MessageId; attempt: number };
  const rows = await sql.query<Row>(
    'select ord, company_id, message_id, attempt from find_sent($1, $2)',
    [sent.map(({ providerId }) => providerId), sent.map(({ phone }) => phone)],
    'find-sent',
  );
  const refs: (AttemptRef | undefined)[] = sent.map(() => undefined);
  for (const { ord, company_id: companyId, message_id: messageId, attempt } of rows) {
    refs[ord - 1] = { companyId, messageId, attempt };
  }
  return refs;
}

/** The attempt with this provider id, and the phone it was sent to. */
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
     where f.provider_id = $1
     order by f.created_at desc limit 1`,
    [providerId],
    'find-by-provider-id',
  );
  const found = rows[0];
  if (found === undefined) return undefined;
  const { company_id: companyId, message_id: messageId, attempt, recipient: to } = found;
  return { ref: { companyId, messageId, attempt }, to };
}
