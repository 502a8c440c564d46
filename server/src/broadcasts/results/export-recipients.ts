import { CHANNEL_TITLES } from '@zhiber/contract/api/channel.ts';
import { SKIP_REASONS } from '@zhiber/contract/cabinet/broadcast-words.ts';
import {
  RECIPIENT_TEXTS_EN,
  RECIPIENT_TEXTS_KK,
  RECIPIENT_TEXTS_RU,
} from '@zhiber/contract/cabinet/recipient-texts.ts';
import type { Lang } from '@zhiber/contract/languages.ts';
import { type Actor, recordAuditEvent } from '../../audit-log/audit-log-store.ts';
import type { Context } from '../../context.ts';
import type { CompanyId } from '../../ids.ts';
import { csv, EXPORTS_AT_ONCE } from '../../messages/export-messages.ts';
import { type Cell, xlsx } from '../../messages/xlsx.ts';
import { Problem } from '../../problem.ts';
import { eachRecipient, readRunOf } from './results.ts';
import type { Recipient, RecipientFilter } from './results-store.ts';
import type { Run } from './run-store.ts';

export type RecipientExport = {
  companyId: CompanyId;
  id: string;
  which: 'all' | 'failed' | 'clicked' | 'not_clicked';
  format: 'csv' | 'xlsx';
  lang: Lang;
  actor: Actor;
};

const FILTERS = {
  all: {},
  failed: { outcome: 'failed' },
  clicked: { clicked: true },
  not_clicked: { clicked: false },
} as const satisfies Record<RecipientExport['which'], RecipientFilter>;

const SEPARATORS = { ru: ';', kk: ';', en: ',' } as const satisfies Record<Lang, string>;

const TEXTS = {
  ru: {
    ...RECIPIENT_TEXTS_RU,
    sheet: 'Получатели',
    before: ['Строка', 'Телефон'],
    after: [
      'Результат',
      'Причина',
      'Канал',
      'Стоимость, ₸',
      'Отправлено (Алматы)',
      'Перешёл (Алматы)',
    ],
    column: 'Столбец',
  },
  kk: {
    ...RECIPIENT_TEXTS_KK,
    sheet: 'Алушылар',
    before: ['Жол', 'Телефон'],
    after: [
      'Нәтижесі',
      'Себебі',
      'Арна',
      'Құны, ₸',
      'Жіберілді (Алматы)',
      'Сілтемені ашты (Алматы)',
    ],
    column: 'Баған',
  },
  en: {
    ...RECIPIENT_TEXTS_EN,
    sheet: 'Recipients',
    before: ['Row', 'Phone'],
    after: ['Result', 'Reason', 'Channel', 'Cost, ₸', 'Sent (Almaty)', 'Clicked (Almaty)'],
    column: 'Column',
  },
} as const;

/**
 * Streams a file of recipients with the columns they came with and what became of them. The audit
 * log records the export before the file is complete, and also when the client disconnects half-way.
 */
export async function exportRecipients(
  ctx: Pick<Context, 'db' | 'exports'>,
  request: RecipientExport,
): Promise<AsyncGenerator<Buffer | string>> {
  // Both are checked before the first byte, while the answer can still be an error.
  const run = await readRunOf(ctx.db, request.companyId, request.id);
  if (ctx.exports.taken >= EXPORTS_AT_ONCE) throw new Problem('service_unavailable');
  return writeFile(ctx, request, run);
}

async function* writeFile(
  ctx: Pick<Context, 'db' | 'exports'>,
  request: RecipientExport,
  run: Run,
): AsyncGenerator<Buffer | string> {
  const { format, lang } = request;
  const progress = { rows: 0 };
  let isRecorded = false;
  const record = async () => {
    if (isRecorded) return;
    isRecorded = true;
    await recordExport(ctx, request, { run, ...progress });
  };
  const rows = async function* () {
    yield headCells(run, lang);
    for await (const recipient of eachRecipient(ctx.db, run, FILTERS[request.which])) {
      yield rowCells(recipient, run, lang);
      progress.rows += 1;
    }
    await record();
  };
  const release = ctx.exports.tryAcquire();
  if (release === undefined) throw new Problem('service_unavailable');
  try {
    if (format === 'xlsx') yield* xlsx(TEXTS[lang].sheet, rows());
    else yield* csv(SEPARATORS[lang], rows());
  } finally {
    release();
    await record();
  }
}

async function recordExport(
  { db }: Pick<Context, 'db'>,
  { companyId, which, format, actor }: RecipientExport,
  { run, rows }: { run: Run; rows: number },
): Promise<void> {
  await db.transaction((tx) =>
    recordAuditEvent(tx, actor, {
      companyId,
      action: 'broadcast.exported',
      object: run.name,
      after: { which, format, rows },
    }),
  );
}

function headCells({ columns }: Run, lang: Lang): Cell[] {
  const texts = TEXTS[lang];
  const named = columns.map((name, place) => name || `${texts.column} ${place + 1}`);
  return [...texts.before, ...named, ...texts.after];
}

function rowCells(recipient: Recipient, { columns }: Run, lang: Lang): Cell[] {
  const { number, phone, cells, outcome, channel, charged, sent_at, clicked_at } = recipient;
  return [
    number,
    `+${phone}`,
    ...columns.map((_, place) => cells[place] ?? null),
    TEXTS[lang].outcomes[outcome],
    reasonText(recipient, lang),
    channel === null ? null : CHANNEL_TITLES[channel],
    charged,
    sent_at,
    clicked_at,
  ];
}

/** The words of a provider as they are; of a skipped recipient our own. */
function reasonText({ outcome, reason }: Recipient, lang: Lang): string | null {
  const skipped = outcome === 'skipped' && SKIP_REASONS.find((word) => word === reason);
  return skipped ? TEXTS[lang].skipped[skipped] : reason;
}
