import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import { SMS_SEGMENTS_MAX } from '@zhiber/contract/api/limits.ts';
import {
  cleanCell,
  type ParsedBroadcast,
  parseBroadcast,
  renderBroadcast,
  usedTexts,
} from '@zhiber/contract/message/broadcast-text.ts';
import { countParts } from '@zhiber/contract/message/sms-parts.ts';
import { readCompany } from '../../company/change-company.ts';
import type { Context } from '../../context.ts';
import { maskPhone } from '../../phone.ts';
import { hideDigits } from '../rows/hide-digits.ts';
import { type BroadcastRef, listSendRows, type SendRow, type StoredDraft } from './draft-store.ts';
import { readDraft } from './drafts.ts';
import { listOfferedChannels } from './offered-channels.ts';
import { sampleFacts } from './sample-facts.ts';

/** Little enough that other requests do not wait while it is counted. */
const ROWS_AT_ONCE = 1_000;
const SAMPLES = 3;

export type Sample = {
  number: number;
  /** Masked for those who may not see it. */
  phone: string;
  texts: Partial<Record<Channel, string>>;
  parts: number;
};

export type TextCheck = {
  partsMin: number | null;
  partsMax: number | null;
  /** Over the rows whose text fits an SMS; null where none does. */
  partsMean: number | null;
  tooLong: number;
  tooLongRow: number | null;
  unknownVariables: string[];
  emptyCells: { column: string; rows: number }[];
  samples: Sample[];
};

type Checking = {
  ctx: Pick<Context, 'urls'>;
  draft: StoredDraft;
  parsed: ParsedBroadcast;
  /** Channels that the samples show. */
  channels: readonly Channel[];
  seesPhones: boolean;
};

/** How the text of a draft comes out over all rows that will be sent. */
export async function checkText(
  ctx: Pick<Context, 'db' | 'channels' | 'urls'>,
  ref: BroadcastRef,
  { seesPhones }: { seesPhones: boolean },
): Promise<TextCheck> {
  const draft = await readDraft(ctx, ref);
  const { language } = await readCompany(ctx, ref.companyId);
  const { text, whatsappTemplate: template, columns } = draft;
  const parsed = parseBroadcast({ text, template, columns, language });
  const channels = draft.channels.length > 0 ? draft.channels : listOfferedChannels(ctx);
  const checking: Checking = { ctx, draft, parsed, channels, seesPhones };
  const used = usedTexts(parsed, channels);
  const check: TextCheck = {
    partsMin: null,
    partsMax: null,
    partsMean: null,
    tooLong: 0,
    tooLongRow: null,
    unknownVariables: [...new Set(used.flatMap(({ unknown }) => unknown))],
    emptyCells: [],
    samples: [],
  };
  const fitting = { rows: 0, parts: 0 };
  const needed = new Map(used.flatMap((part) => part.needed.map(({ column }) => [column, 0])));
  for await (const rows of sendRows(ctx, ref)) {
    const samplesLeft = SAMPLES - check.samples.length;
    check.samples.push(...rows.slice(0, samplesLeft).map((row) => toSample(checking, row)));
    for (const row of rows) {
      const parts = countLength(check, checking, row);
      if (parts > 0 && parts <= SMS_SEGMENTS_MAX) {
        fitting.rows += 1;
        fitting.parts += parts;
      }
      for (const [column, empty] of needed) {
        if (cleanCell(row.cells[column] ?? '') === '') needed.set(column, empty + 1);
      }
    }
  }
  if (fitting.rows > 0) check.partsMean = fitting.parts / fitting.rows;
  check.emptyCells = [...needed]
    .filter(([, rows]) => rows > 0)
    .map(([column, rows]) => ({ column: columns[column] ?? '', rows }));
  return check;
}

/** In batches: a hundred thousand rows never are in memory at once. */
async function* sendRows({ db }: Pick<Context, 'db'>, { id }: BroadcastRef) {
  let after = 0;
  for (;;) {
    const rows = await listSendRows(db, id, { after, limit: ROWS_AT_ONCE });
    yield rows;
    if (rows.length < ROWS_AT_ONCE) return;
    after = rows.at(-1)?.number ?? after;
  }
}

/** The parts of the text of a row; 0 while there is no text. */
function countLength(check: TextCheck, checking: Checking, row: SendRow): number {
  if (checking.draft.text.trim() === '') return 0;
  const parts = countParts(textOf(checking, row, 'sms'));
  check.partsMin = Math.min(check.partsMin ?? parts, parts);
  check.partsMax = Math.max(check.partsMax ?? parts, parts);
  if (parts > SMS_SEGMENTS_MAX) {
    check.tooLong += 1;
    check.tooLongRow ??= row.number;
  }
  return parts;
}

function toSample(checking: Checking, row: SendRow): Sample {
  const { draft, channels, seesPhones } = checking;
  const shownRow = seesPhones ? row : { ...row, cells: row.cells.map(hideDigits) };
  const hasText = draft.text.trim() !== '';
  const shown = CHANNELS.filter((channel) => channels.includes(channel)).filter((channel) =>
    channel === 'whatsapp' ? draft.whatsappTemplate !== null : hasText,
  );
  return {
    number: row.number,
    phone: seesPhones ? `+${row.phone}` : maskPhone(row.phone),
    texts: Object.fromEntries(
      shown.map((channel) => [channel, textOf(checking, shownRow, channel)]),
    ),
    parts: hasText ? countParts(textOf(checking, row, 'sms')) : 0,
  };
}

function textOf({ ctx, parsed }: Checking, { cells }: SendRow, channel: Channel): string {
  return renderBroadcast(parsed, channel, sampleFacts(ctx.urls, cells));
}
