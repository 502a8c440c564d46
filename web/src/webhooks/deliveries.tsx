import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { EVENT_TYPES, WEBHOOK_TRIES_MAX } from '@zhiber/contract/api/events.ts';
import {
  DELIVERY_STATES,
  REPLAYED_AT_ONCE_MAX,
  type Webhook,
  type WebhookDelivery,
} from '@zhiber/contract/cabinet/webhooks.ts';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { oneOf, text, useFilters } from '../app/filters.ts';
import { pagesOf, queryOf, rowsOf, useAction } from '../queries.ts';
import { useRight } from '../session.ts';
import { useFormat } from '../texts/use-texts.tsx';
import { useWebhookTexts } from '../texts/use-webhook-texts.ts';
import { Chart } from '../ui/chart/chart.tsx';
import { Button } from '../ui/controls/button.tsx';
import { optionsOf, Segments } from '../ui/controls/segments.tsx';
import { Chip } from '../ui/display/chip.tsx';
import { EmptyState, NoMatch } from '../ui/display/empty-state.tsx';
import { ErrorCard, Failure } from '../ui/display/error-card.tsx';
import { StackedTime, Time } from '../ui/display/time.tsx';
import { ChoiceDots } from '../ui/filters/choice-boxes.tsx';
import { FilterBar } from '../ui/filters/filter-bar.tsx';
import { chipsOf } from '../ui/filters/filter-chips.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';
import { type Column, DataTable } from '../ui/table/data-table.tsx';
import { ShowMore } from '../ui/table/more-rows.tsx';
import { DeliveryPanel } from './delivery-panel.tsx';
import { REPLAY_CHANGES, ReplayDialog } from './replay-dialog.tsx';
import { useCountText } from './webhook-notices.tsx';
import { DeliveryStateChip, TryErrorText } from './webhook-state.tsx';

const FILTERS = { state: oneOf(DELIVERY_STATES), type: oneOf(EVENT_TYPES) };
const VIEW = { event: text, range: oneOf(['24h', '7d']) };
/** A retry may come at any moment, and somebody who mends a receiver watches for it. */
const REFRESH_MS = 5_000;

/** The log of an endpoint: its figures, its events, and sending them again. */
export function Deliveries({ row }: { row: Webhook }) {
  const texts = useWebhookTexts();
  const canReplay = useRight('webhooks.change');
  const { filters, setFilters, resetFilters, isFiltered } = useFilters(FILTERS);
  const { filters: view, setFilters: setView } = useFilters(VIEW);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [isReplaying, setReplaying] = useState(false);
  const list = useInfiniteQuery({
    ...pagesOf('webhookDeliveries', filters, { id: String(row.id) }),
    refetchInterval: REFRESH_MS,
  });
  const rows = rowsOf<WebhookDelivery>(list.data);
  const { failed, waiting, missed, delivered } = texts.delivery.states;
  const columns = useColumns(canReplay ? { chosen, setChosen } : undefined);
  return (
    <div className="grid min-w-0 gap-4">
      <Figures id={row.id} range={view.range ?? '24h'} onRange={(range) => setView({ range })} />
      <FilterBar
        filters={[
          {
            id: 'type',
            label: texts.delivery.filters.type,
            chosen: filters.type && texts.types[filters.type],
            clear: () => setFilters({ type: undefined }),
            content: (
              <ChoiceDots
                words={texts.types}
                chosen={filters.type}
                onChoose={(type) => setFilters({ type })}
              />
            ),
          },
        ]}
        chips={chipsOf({ failed, waiting, missed, delivered }, filters.state, (state) =>
          setFilters({ state }),
        )}
        isFiltered={isFiltered}
        onReset={resetFilters}
        aside={
          canReplay && (
            <Button
              icon={<RotateCcw aria-hidden="true" size={16} />}
              onClick={() => setReplaying(true)}
            >
              {texts.replay.open}
            </Button>
          )
        }
      />
      {chosen.length > 0 && (
        <ReplayChosen id={row.id} events={chosen} onDone={() => setChosen([])} />
      )}
      {list.error !== null && rows === undefined ? (
        <Failure error={list.error} onRetry={list.refetch} />
      ) : (
        <DataTable
          caption={texts.delivery.list}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          rowLink={({ id }) => ({
            to: '/app/webhooks/$id',
            params: { id: String(row.id) },
            search: (before: Record<string, string | undefined>) => ({ ...before, event: id }),
            resetScroll: false,
          })}
          isOpen={({ id }) => id === view.event}
          isRefetching={list.isPlaceholderData}
          empty={
            isFiltered ? (
              <NoMatch onReset={resetFilters} />
            ) : (
              <EmptyState kind="first-use" title={texts.delivery.emptyTitle}>
                {texts.delivery.emptyLead}
              </EmptyState>
            )
          }
        />
      )}
      <ShowMore list={list} />
      {isReplaying && <ReplayDialog id={row.id} onClose={() => setReplaying(false)} />}
      {view.event !== undefined && (
        <DeliveryPanel
          webhookId={row.id}
          eventId={view.event}
          onClose={() => setView({ event: undefined })}
        />
      )}
    </div>
  );
}

type Choice = { chosen: readonly string[]; setChosen: (ids: readonly string[]) => void };

function useColumns(choice: Choice | undefined): Column<WebhookDelivery>[] {
  const texts = useWebhookTexts();
  const format = useFormat();
  const { columns } = texts.delivery;
  const shown: Column<WebhookDelivery>[] = [
    { id: 'at', title: columns.at, cell: (row) => <FirstCell row={row} /> },
    { id: 'type', title: columns.type, cell: (row) => <TypeCell row={row} />, onCard: 'hidden' },
    {
      id: 'state',
      title: columns.state,
      onCard: 'hidden',
      cell: ({ state }) => <DeliveryStateChip state={state} />,
    },
    {
      id: 'tries',
      title: columns.tries,
      isNumber: true,
      onCard: 'hidden',
      cell: ({ tries }) => texts.delivery.tries(tries, WEBHOOK_TRIES_MAX),
    },
    {
      id: 'status',
      title: columns.status,
      onCard: 'hidden',
      cell: (row) => <TryAnswer row={row} />,
    },
    {
      id: 'took',
      title: columns.took,
      isNumber: true,
      onCard: 'hidden',
      cell: ({ duration_ms: ms }) => (ms === null ? '—' : texts.ms(format.number(ms))),
    },
    {
      id: 'next',
      title: columns.next,
      onCard: 'hidden',
      cell: ({ next_try_at: at }) => (at === null ? '—' : <NextTry at={at} />),
    },
  ];
  if (choice === undefined) return shown;
  return [
    ...shown,
    {
      id: 'choose',
      title: columns.choose,
      isTitleHidden: true,
      cell: ({ id }) => <ChooseBox id={id} choice={choice} />,
    },
  ];
}

/** On a small screen it is the whole card, apart from the box to choose it. */
function FirstCell({ row }: { row: WebhookDelivery }) {
  return (
    <>
      <span className="max-sm:hidden">
        <StackedTime at={row.at} />
      </span>
      <span className="grid gap-1.5 text-table font-normal sm:hidden">
        <span className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
          <TypeCell row={row} />
          <DeliveryStateChip state={row.state} />
        </span>
        <span className="flex flex-wrap justify-between gap-x-3 gap-y-1 text-muted">
          <Time at={row.at} />
          <TryAnswer row={row} />
        </span>
      </span>
    </>
  );
}

function TryAnswer({ row: { error, status } }: { row: WebhookDelivery }) {
  return error === null ? (status ?? '—') : <TryErrorText error={error} status={status} />;
}

function TypeCell({ row }: { row: WebhookDelivery }) {
  const texts = useWebhookTexts();
  return (
    <span className="grid leading-tight">
      <span className="inline-flex flex-wrap items-center gap-2">
        {texts.types[row.type]}
        {row.test && <Chip tone="test">{texts.delivery.testMark}</Chip>}
      </span>
      <span translate="no" className="font-mono text-sm text-muted">
        {row.type}
      </span>
    </span>
  );
}

/** A time that has passed is one whose try is under way or about to begin. */
function NextTry({ at }: { at: string }) {
  const texts = useWebhookTexts().delivery;
  return Date.parse(at) <= Date.now() ? texts.now : <Time at={at} />;
}

function ChooseBox({ id, choice }: { id: string; choice: Choice }) {
  const texts = useWebhookTexts().delivery;
  const { chosen, setChosen } = choice;
  const isChosen = chosen.includes(id);
  return (
    <input
      type="checkbox"
      aria-label={texts.choose(id)}
      className="relative z-1 size-5 accent-brand"
      checked={isChosen}
      disabled={!isChosen && chosen.length >= REPLAYED_AT_ONCE_MAX}
      onChange={() => setChosen(isChosen ? chosen.filter((each) => each !== id) : [...chosen, id])}
    />
  );
}

function ReplayChosen(props: { id: number; events: readonly string[]; onDone: () => void }) {
  const { id, events, onDone } = props;
  const texts = useWebhookTexts();
  const countText = useCountText();
  const { showToast } = useToasts();
  const replay = useAction('replayWebhook', { invalidates: REPLAY_CHANGES });
  const send = () =>
    replay.mutate(
      { params: { id }, body: { events: [...events] } },
      {
        onSuccess: ({ replayed }) => {
          showToast(texts.delivery.replayed(replayed, countText(replayed)));
          onDone();
        },
      },
    );
  return (
    <div className="grid gap-2">
      <div>
        <Button look="primary" isBusy={replay.isPending} onClick={send}>
          {texts.replay.chosen(events.length)}
        </Button>
      </div>
      {replay.error !== null && <ErrorCard error={replay.error} />}
    </div>
  );
}

type FigureRange = '24h' | '7d';

/** Tries by their outcome; hidden while there were none. */
function Figures(props: { id: number; range: FigureRange; onRange: (range: FigureRange) => void }) {
  const { id, range, onRange } = props;
  const texts = useWebhookTexts();
  const format = useFormat();
  const { data } = useQuery({
    ...queryOf('webhookFigures', { params: { id }, query: { range } }),
    refetchInterval: REFRESH_MS * 3,
  });
  if (data === undefined) return null;
  const { buckets } = data;
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const delivered = buckets.map((bucket) => bucket.delivered);
  const failed = buckets.map(
    (bucket) => bucket.refused + bucket.timed_out + bucket.unreachable + bucket.blocked,
  );
  if (range === '24h' && sum(delivered) + sum(failed) === 0) return null;
  const label = range === '24h' ? format.clock : format.timeToMinute;
  return (
    <div className="grid gap-3">
      <div>
        <Segments
          label={texts.range}
          isLabelHidden
          options={optionsOf(texts.ranges)}
          value={range}
          onChoose={onRange}
        />
      </div>
      <Chart
        title={texts.chart}
        summary={texts.chartSummary(format.number(sum(delivered)), format.number(sum(failed)))}
        kind="columns"
        labels={buckets.map(({ at }) => label(at))}
        labelTitle={texts.time}
        series={[
          { label: texts.outcomes.delivered, colour: 'ok', values: delivered },
          {
            label: texts.outcomes.refused,
            colour: 'bad',
            values: buckets.map(({ refused }) => refused),
          },
          {
            label: texts.outcomes.timed_out,
            colour: 'warn',
            values: buckets.map((bucket) => bucket.timed_out),
          },
          {
            label: texts.outcomes.unreachable,
            colour: 'calm',
            values: buckets.map((bucket) => bucket.unreachable + bucket.blocked),
          },
        ]}
        format={format.number}
        height={160}
      />
    </div>
  );
}
