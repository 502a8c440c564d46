import type { SecurityEventKind } from '@zhiber/contract/cabinet/profile.ts';
import type { Sql } from '../db/sql.ts';
import type { PersonId } from '../ids.ts';

export type NewSecurityEvent = {
  personId: PersonId;
  kind: SecurityEventKind;
  /** A masked contact, or the name of a passkey. */
  detail?: string | undefined;
  /** Where it was done; absent for the operator's command line. */
  origin?: { address: string; device: string } | undefined;
};

export async function insertSecurityEvent(sql: Sql, event: NewSecurityEvent): Promise<void> {
  const { personId, kind, detail, origin } = event;
  await sql.query(
    'insert into security_event (person_id, kind, detail, address, device) values ($1, $2, $3, $4, $5)',
    [personId, kind, detail ?? null, origin?.address ?? null, origin?.device ?? null],
  );
}

export type StoredSecurityEvent = {
  at: Date;
  kind: SecurityEventKind;
  detail: string | null;
  address: string | null;
  device: string | null;
};

/** The newest first. */
export async function listSecurityEvents(
  sql: Sql,
  personId: PersonId,
  limit: number,
): Promise<StoredSecurityEvent[]> {
  return await sql.query<StoredSecurityEvent>(
    `select at, kind, detail, address, device from security_event
     where person_id = $1 order by at desc limit $2`,
    [personId, limit],
  );
}
