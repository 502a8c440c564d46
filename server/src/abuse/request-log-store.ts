import type { GroupStatement } from '../db/group-commit.ts';
import type { CompanyId, KeyId } from '../ids.ts';
import type { Phone } from '../phone.ts';

/** A call that did not become a message. The bodies are redacted; no code is stored. */
export type LoggedRequest = {
  companyId: CompanyId;
  keyId: KeyId;
  requestId: string;
  path: string;
  status: number;
  errorCode: string | null;
  durationMs: number;
  /** Masked, as lists show it to everybody. */
  phone: string | null;
  channel: string | null;
  messageId: string | null;
  recipient: Phone | null;
  requestBody: string | null;
  answerBody: string | null;
};

export const logRequests: GroupStatement<LoggedRequest, void> = {
  name: 'log requests',
  itemsMax: 2_048,
  waitingMax: 50_000,
  gatherMs: 100,
  async run(sql, items) {
    await sql.query(
      `insert into request_log (at, company_id, key_id, request_id, path, status, error_code, duration_ms, phone,
         channel, message_id, recipient, request_body, answer_body)
       select clock_timestamp(), i.* from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[],
         $5::smallint[], $6::text[], $7::integer[], $8::text[], $9::text[], $10::uuid[],
         $11::bigint[], $12::text[], $13::text[]) as i`,
      [
        items.map((item) => item.companyId),
        items.map((item) => item.keyId),
        items.map((item) => item.requestId),
        items.map((item) => item.path),
        items.map((item) => item.status),
        items.map((item) => item.errorCode),
        items.map((item) => item.durationMs),
        items.map((item) => item.phone),
        items.map((item) => item.channel),
        items.map((item) => item.messageId),
        items.map((item) => item.recipient),
        items.map((item) => item.requestBody),
        items.map((item) => item.answerBody),
      ],
      'log-requests',
    );
    return items.map(() => undefined);
  },
};
