import { useInfiniteQuery } from '@tanstack/react-query';
import type { RecipientRow } from '@zhiber/contract/cabinet/broadcast-rows.ts';
import {
  CELL_LENGTH_MAX,
  PHONE_FAULTS,
  type RowVerdict,
} from '@zhiber/contract/cabinet/broadcast-words.ts';
import { useState } from 'react';
import { pagesOf, rowsOf, useAction } from '../../queries.ts';
import { type BroadcastTexts, useBroadcastTexts } from '../../texts/use-broadcast-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { INPUT_CLASS } from '../../ui/controls/field.tsx';
import { EmptyState } from '../../ui/display/empty-state.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { Refusal } from '../../ui/display/refusal.tsx';
import { useToasts } from '../../ui/overlays/toasts.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { ShowMore } from '../../ui/table/more-rows.tsx';
import type { Draft } from './use-draft.ts';

/** With another phone these may be sent; of the others the phone is not what is wrong. */
const FIXABLE: readonly RowVerdict[] = ['invalid', 'cannot_receive', 'other_country', 'duplicate'];

/** The rows with one verdict, each with its reason; a wrong phone is mended in its place. */
export function CheckedRows({ draft, verdict }: { draft: Draft; verdict: RowVerdict }) {
  const texts = useBroadcastTexts();
  const list = useInfiniteQuery(pagesOf('rows', { verdict }, { id: draft.id }));
  const columns = useColumns(draft, verdict);
  const rows = rowsOf<RecipientRow>(list.data);
  if (list.error !== null && rows === undefined) {
    return <Failure error={list.error} onRetry={list.refetch} />;
  }
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h3 className="text-base">{texts.verdicts[verdict]}</h3>
      <DataTable
        caption={texts.verdicts[verdict]}
        columns={columns}
        rows={rows}
        rowKey={({ number }) => number}
        isRefetching={list.isPlaceholderData}
        empty={<EmptyState kind="no-match" title={texts.noSuchRows} />}
      />
      {list.error !== null && <Failure error={list.error} onRetry={list.fetchNextPage} />}
      <ShowMore list={list} />
    </section>
  );
}

function useColumns(draft: Draft, verdict: RowVerdict): Column<RecipientRow>[] {
  const texts = useBroadcastTexts();
  const format = useFormat();
  const { phone_column: phoneColumn } = draft.broadcast.rows;
  const others = ({ cells }: RecipientRow) =>
    cells.filter((cell, place) => place + 1 !== phoneColumn && cell !== '').join(' · ');
  const phoneOf = ({ cells, phone }: RecipientRow) =>
    phone === null ? (cells[(phoneColumn ?? 1) - 1] ?? '') : format.phone(phone);
  const isFixable = FIXABLE.includes(verdict);
  return [
    {
      id: 'number',
      title: texts.rowNumber,
      cell: ({ number }) => (
        <>
          <span className="max-sm:hidden">{format.number(number)}</span>
          <span className="sm:hidden">{texts.row(format.number(number))}</span>
        </>
      ),
      className: 'sm:w-20',
    },
    {
      id: 'phone',
      title: texts.phone,
      cell: (row) =>
        isFixable ? (
          <FixForm draft={draft} row={row} typed={phoneOf(row)} />
        ) : (
          <span className="whitespace-nowrap">{phoneOf(row)}</span>
        ),
      onCard: isFixable ? 'plain' : undefined,
    },
    ...(verdict === 'send' || verdict === 'unsubscribed' || verdict === 'no_consent'
      ? []
      : [
          {
            id: 'reason',
            title: texts.reason,
            cell: (row: RecipientRow) => reasonText(row, texts),
          },
        ]),
    {
      id: 'cells',
      title: texts.otherCells,
      cell: (row) => <span className="line-clamp-2 wrap-anywhere text-muted">{others(row)}</span>,
    },
  ] as Column<RecipientRow>[];
}

export function reasonText({ verdict, reason }: RecipientRow, texts: BroadcastTexts): string {
  if (verdict === 'duplicate') return texts.sameAsRow(reason ?? '');
  const fault = PHONE_FAULTS.find((one) => one === reason);
  if (fault !== undefined) return texts.phoneFaults[fault];
  return verdict === null ? '' : (texts.verdictReasons[verdict] ?? texts.verdicts[verdict]);
}

function FixForm({ draft, row, typed }: { draft: Draft; row: RecipientRow; typed: string }) {
  const texts = useBroadcastTexts();
  const { showToast } = useToasts();
  const [phone, setPhone] = useState(typed);
  const fix = useAction('fixRow', { invalidates: ['rows'] });
  const submit = () =>
    fix.mutate(
      { params: { id: draft.id, number: row.number }, body: { phone } },
      {
        onSuccess: ({ row: fixed, verdicts }) => {
          draft.show({ rows: { ...draft.broadcast.rows, verdicts } });
          void draft.adopt();
          const { verdict } = fixed;
          if (verdict === null) return;
          const reason = verdict === 'invalid' ? `: ${reasonText(fixed, texts)}` : '';
          showToast(texts.rowNow(row.number, `${texts.verdicts[verdict]}${reason}`));
        },
      },
    );
  return (
    <form
      className="flex flex-wrap gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <input
        aria-label={texts.phoneOfRow(row.number)}
        inputMode="tel"
        autoComplete="off"
        maxLength={CELL_LENGTH_MAX}
        value={phone}
        onChange={(event) => setPhone(event.currentTarget.value)}
        className={`${INPUT_CLASS} min-w-0 max-w-56 basis-40 text-table`}
      />
      {phone !== typed && (
        <Button type="submit" isBusy={fix.isPending}>
          {texts.fix}
        </Button>
      )}
      <Refusal error={fix.error} />
    </form>
  );
}
