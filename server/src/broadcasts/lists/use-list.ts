import { RECIPIENTS_MAX } from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { Actor } from '../../audit-log/audit-log-store.ts';
import type { Context } from '../../context.ts';
import { Problem } from '../../problem.ts';
import { inTurn, type RowsPlace } from '../rows/check-rows.ts';
import { replaceRows } from '../rows/load-rows.ts';
import { padCells } from '../rows/read-rows.ts';
import { insertRows } from '../rows/row-store.ts';
import { countMembers, findList, type TakenMember, takeMembers } from './list-store.ts';

const BATCH_ROWS = 1_000;

const PHONE_COLUMN = 'Телефон';
const CONSENT_COLUMN = 'Согласие';

/**
 * Replaces the rows of a draft by the members of a list that have all of the tags, in the order in
 * which they were added. Where a consent is known of any, it is a column of its own.
 */
export async function useList(
  ctx: Pick<Context, 'db' | 'config' | 'log' | 'workbooks'>,
  actor: Actor,
  request: RowsPlace & { listId: number; tags: readonly string[] },
): Promise<void> {
  const { companyId, broadcastId, listId, tags } = request;
  const list = await findList(ctx.db, { companyId, listId });
  if (list === undefined) throw new Problem('not_found');
  const { members, has_consents: hasConsents } = await countMembers(ctx.db, { listId, tags });
  if (members > RECIPIENTS_MAX) throw new Problem('too_many_rows');
  const columns = [PHONE_COLUMN, ...distinctFrom([PHONE_COLUMN, CONSENT_COLUMN], list.columns)];
  if (hasConsents) columns.push(CONSENT_COLUMN);
  const consentColumn = hasConsents ? columns.length : null;
  const name = [list.name, ...tags].join(' · ').slice(0, 200);

  const source = { companyId, broadcastId, source: 'list', name } as const;
  await replaceRows(ctx, actor, source, async (turn) => {
    let rows = 0;
    for (let after = 0; ; ) {
      const taken = await takeMembers(ctx.db, { listId, tags, after, limit: BATCH_ROWS });
      if (taken.length === 0) break;
      after = (taken.at(-1) as TakenMember).id;
      const batch = taken.map((member) => ({
        number: ++rows,
        cells: cellsOf(member, { width: list.columns.length, hasConsents }),
      }));
      if (rows > RECIPIENTS_MAX) throw new Problem('too_many_rows');
      await inTurn(ctx, turn, (tx) => insertRows(tx, request, batch), batch.length);
    }
    return { columns, phoneColumn: 1, consentColumn, rows };
  });
}

/** Two columns of one name could not be told apart in a text. */
function distinctFrom(taken: readonly string[], names: readonly string[]): string[] {
  const known = new Set(taken.map((name) => name.toLowerCase()));
  return names.map((name) => (known.has(name.toLowerCase()) ? `${name} 2` : name));
}

/** The words are read again by the check, see `isConsent`. */
function cellsOf(
  { phone, cells, has_consent }: TakenMember,
  { width, hasConsents }: { width: number; hasConsents: boolean },
): string[] {
  const own = padCells(cells, width).slice(0, width);
  const consent = has_consent === null ? 'не указано' : has_consent ? 'да' : 'нет';
  return [`+${phone}`, ...own, ...(hasConsents ? [consent] : [])];
}
