import { CHANNEL_TITLES } from '@zhiber/contract/api/channel.ts';
import type { MessageRow } from '@zhiber/contract/cabinet/messages.ts';
import { almatyTime } from '../../almaty.ts';
import type { ListedMessage } from '../list/message-list-store.ts';
import { toMessageRow } from '../list/message-row.ts';
import type { Cell } from './cell.ts';
import type { ExportTexts } from './texts.ts';

type Exported = { row: MessageRow; message: ListedMessage; texts: ExportTexts };

/** The columns of a file, in their order: what stands at their head, and in each row. */
const COLUMNS: readonly [keyof ExportTexts['columns'], (exported: Exported) => Cell][] = [
  ['almaty', ({ message }) => almatyTime(message.created_at)],
  ['utc', ({ row }) => row.at],
  ['phone', ({ row }) => row.phone],
  ['country', ({ row, message }) => (message.kind === 'group' ? null : (row.country ?? 'KZ'))],
  ['kind', ({ row, texts }) => texts.kinds[kindOf(row)]],
  ['purpose', ({ row }) => row.purpose],
  ['state', ({ row, texts }) => texts.states[row.state]],
  ['reason', ({ row }) => row.reason],
  ['channel', ({ row }) => (row.channel === null ? null : CHANNEL_TITLES[row.channel])],
  ['path', ({ row, texts }) => pathText(row, texts)],
  ['took', ({ row }) => row.took_ms],
  ['cost', ({ row }) => row.cost],
  ['mode', ({ row, texts }) => texts.modes[row.mode]],
  ['key', ({ row }) => row.key.name],
  ['messageId', ({ row }) => row.id],
  ['requestId', ({ message }) => message.request_id],
];

export function headCells(texts: ExportTexts): Cell[] {
  return COLUMNS.map(([name]) => texts.columns[name]);
}

export function rowCells(
  message: ListedMessage,
  how: { canSeePhones: boolean; texts: ExportTexts },
): Cell[] {
  const exported = { row: toMessageRow(message, how.canSeePhones), message, texts: how.texts };
  return COLUMNS.map(([, read]) => read(exported));
}

function kindOf({ kind, has_link }: MessageRow): keyof ExportTexts['kinds'] {
  return kind === 'otp' && has_link ? 'otp_with_link' : kind;
}

function pathText({ path }: MessageRow, { outcomes }: ExportTexts): string {
  return path
    .map(({ channel, outcome }) => `${CHANNEL_TITLES[channel]}: ${outcomes[outcome]}`)
    .join(' → ');
}
