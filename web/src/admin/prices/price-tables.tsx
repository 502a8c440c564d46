import { useQuery } from '@tanstack/react-query';
import type { PriceVersion } from '@zhiber/contract/admin/prices.ts';
import type { PricedItem } from '@zhiber/contract/api/prices.ts';
import { useState } from 'react';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Card, Stat, Stats } from '../../ui/display/card.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { SkeletonCard } from '../../ui/display/skeleton.tsx';
import { Time } from '../../ui/display/time.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { useToasts } from '../../ui/overlays/toasts.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { queryOf, useAction } from '../call.ts';
import { CompanyLink } from '../company-link.tsx';
import { DeskSection } from '../desk-section.tsx';
import { PriceForm } from './price-form.tsx';
import { PriceStateChip } from './price-state.tsx';

const ITEMS: readonly PricedItem[] = ['whatsapp', 'telegram', 'sms', 'group'];

/** What everybody pays, a form for a new price, and the history. */
export function PriceTables() {
  const texts = useAdminTexts().prices;
  const format = useFormat();
  const { data, error, refetch } = useQuery(queryOf('prices'));
  if (error !== null && data === undefined) return <Failure error={error} onRetry={refetch} />;
  if (data === undefined) return <SkeletonCard />;
  return (
    <>
      <DeskSection title={texts.now} lead={texts.nowNote}>
        <Stats columns={4}>
          {ITEMS.map((item) => (
            <Stat key={item} label={texts.items[item]} value={format.money(data.prices[item])} />
          ))}
        </Stats>
      </DeskSection>
      <Card title={texts.change}>
        <PriceForm />
      </Card>
      <History history={data.history} />
    </>
  );
}

function History({ history }: { history: PriceVersion[] }) {
  const texts = useAdminTexts().prices;
  const { columns } = texts;
  const format = useFormat();
  const shown: Column<PriceVersion>[] = [
    { id: 'item', title: columns.item, cell: ({ item }) => texts.items[item] },
    {
      id: 'who',
      title: columns.who,
      cell: ({ company }) =>
        company === null ? texts.everybody : <CompanyLink company={company} />,
    },
    {
      id: 'tokens',
      title: columns.tokens,
      isNumber: true,
      cell: ({ tokens }) => (tokens === null ? texts.common : format.money(tokens)),
      className: 'sm:whitespace-nowrap',
    },
    {
      id: 'from',
      title: columns.from,
      cell: ({ valid_from: at }) =>
        Date.parse(at) === 0 ? texts.always : <Time at={at} as="timeToMinute" />,
      className: 'sm:whitespace-nowrap',
    },
    {
      id: 'state',
      title: columns.state,
      cell: ({ state }) => <PriceStateChip state={state} />,
    },
    {
      id: 'by',
      title: columns.by,
      cell: ({ set_by: by, withdrawn_by: withdrawnBy }) => (
        <span>
          {by ?? '—'}
          {withdrawnBy !== null && (
            <span className="block text-sm text-muted">{texts.withdrawnBy(withdrawnBy)}</span>
          )}
        </span>
      ),
    },
    {
      id: 'actions',
      title: columns.actions,
      isTitleHidden: true,
      onCard: 'plain',
      cell: (version) => version.state === 'future' && <Withdraw version={version} />,
    },
  ];
  return (
    <DeskSection title={texts.history}>
      <DataTable
        caption={texts.history}
        columns={shown}
        rows={history}
        rowKey={({ id }) => id}
        empty={null}
      />
    </DeskSection>
  );
}

function Withdraw({ version }: { version: PriceVersion }) {
  const texts = useAdminTexts().prices;
  const format = useFormat();
  const { showToast } = useToasts();
  const [isAsking, setAsking] = useState(false);
  const withdraw = useAction('withdrawPrice', { invalidates: ['prices'] });
  const price = version.tokens === null ? texts.common : format.money(version.tokens);
  return (
    <>
      <Button onClick={() => setAsking(true)}>{texts.withdraw}</Button>
      {isAsking && (
        <ConfirmDialog
          title={texts.withdrawTitle}
          action={texts.withdraw}
          state={withdraw}
          onClose={() => setAsking(false)}
          onConfirm={() =>
            withdraw.mutate(
              { params: { id: version.id } },
              {
                onSuccess: () => {
                  showToast(texts.withdrawn);
                  setAsking(false);
                },
              },
            )
          }
        >
          <p>
            {texts.withdrawNote(
              texts.items[version.item],
              price,
              format.timeToMinute(version.valid_from),
            )}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
