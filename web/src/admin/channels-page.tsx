import { useQuery } from '@tanstack/react-query';
import { type DeskProvider, PROVIDER_ANSWERS } from '@zhiber/contract/admin/channels.ts';
import { CircleAlert, CircleCheck, Unplug } from 'lucide-react';
import { oneOf, useFilters } from '../app/filters.ts';
import { useAdminTexts } from '../texts/use-admin-texts.ts';
import { useFormat } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { optionsOf, Segments } from '../ui/controls/segments.tsx';
import { Card } from '../ui/display/card.tsx';
import { ChannelLabel } from '../ui/display/channel.tsx';
import { Chip } from '../ui/display/chip.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { Refusal } from '../ui/display/refusal.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { Time } from '../ui/display/time.tsx';
import { type Column, DataTable } from '../ui/table/data-table.tsx';
import { type DeskAnswer, queryOf, useAction } from './call.ts';

const REFRESH_MS = 10_000;
const RANGES = ['1h', '24h'] as const;
const FILTERS = { range: oneOf(RANGES) };

type Channels = DeskAnswer<'channels'>;
type Quality = DeskAnswer<'channelQuality'>['channels'][number];

/** The health of channels and providers, refreshed by itself. */
export function ChannelsPage() {
  const { frame, channels: texts } = useAdminTexts();
  const list = useQuery({ ...queryOf('channels'), refetchInterval: REFRESH_MS });
  return (
    <Page title={frame.sections.channels} lead={texts.lead}>
      {list.data === undefined && list.error !== null && (
        <Failure error={list.error} onRetry={list.refetch} />
      )}
      {list.isPending && <SkeletonCard lines={6} />}
      {list.data !== undefined && <Providers channels={list.data} />}
      <QualitySection />
    </Page>
  );
}

function Providers({ channels }: { channels: Channels }) {
  const texts = useAdminTexts().channels;
  const ofKind = (kind: DeskProvider['kind']) =>
    channels.providers.filter((provider) => provider.kind === kind);
  return (
    <>
      {channels.is_sandbox && <p className="text-muted">{texts.sandbox}</p>}
      <ProviderTable title={texts.messages} providers={ofKind('messages')} hasAnswers />
      <ProviderTable title={texts.payments} providers={ofKind('payments')} />
      <Nodes nodes={channels.nodes} />
    </>
  );
}

function ProviderTable(props: {
  title: string;
  providers: readonly DeskProvider[];
  hasAnswers?: boolean;
}) {
  const { title, providers, hasAnswers = false } = props;
  const texts = useAdminTexts().channels;
  const columns = useProviderColumns(hasAnswers);
  const missing = providers.filter((provider) => !provider.is_configured);
  return (
    <section className="grid min-w-0 gap-2">
      <h2 className="text-lg">{title}</h2>
      <DataTable
        caption={title}
        columns={columns}
        rows={providers.filter((provider) => provider.is_configured)}
        rowKey={({ name }) => name}
        empty={<p className="text-table text-muted">{texts.noneConfigured}</p>}
      />
      {missing.length > 0 && missing.length < providers.length && (
        <p className="text-sm text-muted">
          {texts.notConfigured}: {missing.map(({ name }) => name).join(', ')}
        </p>
      )}
    </section>
  );
}

function useProviderColumns(hasAnswers: boolean): Column<DeskProvider>[] {
  const texts = useAdminTexts().channels;
  const format = useFormat();
  const className = 'align-top';
  const slowest = ({ nodes }: DeskProvider) => {
    const times = nodes.flatMap(({ answer_ms_p99: ms }) => (ms === null ? [] : [ms]));
    return times.length === 0 ? '—' : texts.ms(format.number(Math.max(...times)));
  };
  const name: Column<DeskProvider> = {
    id: 'name',
    title: texts.provider,
    cell: (provider) => (
      <div className="grid gap-0.5">
        <span className="font-medium">{provider.name}</span>
        {provider.channel !== null && (
          <span className="text-sm text-muted">
            <ChannelLabel channel={provider.channel} />
          </span>
        )}
      </div>
    ),
    className,
  };
  const state: Column<DeskProvider> = {
    id: 'state',
    title: texts.state,
    cell: (provider) => <ProviderState provider={provider} />,
    onCard: 'plain',
    className,
  };
  if (!hasAnswers) return [name, state];
  return [
    name,
    state,
    {
      id: 'hour',
      title: texts.lastHour,
      cell: ({ last_hour: answers }) => <AnswerShares answers={answers} />,
      className,
    },
    {
      id: 'day',
      title: texts.lastDay,
      cell: ({ last_day: answers }) => <AnswerShares answers={answers} />,
      className,
    },
    { id: 'time', title: texts.answerTime, cell: slowest, isNumber: true, className },
    {
      id: 'check',
      title: texts.check,
      cell: (provider) => <Check name={provider.name} />,
      onCard: 'plain',
      className,
    },
  ];
}

function ProviderState({ provider: { nodes } }: { provider: DeskProvider }) {
  const texts = useAdminTexts().channels;
  const format = useFormat();
  const broken = nodes.filter(({ circuit }) => circuit === 'open').map(({ node }) => node);
  const unlinked = nodes.filter(({ is_linked: isLinked }) => isLinked === false);
  const waiting = nodes.reduce((sum, { in_flight: count }) => sum + count, 0);
  return (
    <div className="grid justify-items-start gap-1">
      {broken.length > 0 && (
        <Chip tone="bad" icon={CircleAlert}>
          {texts.circuitOpen(broken.join(', '))}
        </Chip>
      )}
      {unlinked.length > 0 && (
        <Chip tone="bad" icon={Unplug}>
          {texts.linkLost(unlinked.map(({ node }) => node).join(', '))}
        </Chip>
      )}
      {broken.length === 0 && unlinked.length === 0 && (
        <Chip tone="ok" icon={CircleCheck}>
          {nodes.some(({ is_linked: isLinked }) => isLinked) ? texts.linked : texts.works}
        </Chip>
      )}
      {waiting > 0 && (
        <span className="text-sm text-muted">{texts.inFlight(format.number(waiting))}</span>
      )}
    </div>
  );
}

/** The share of accepted messages, and how many had another answer. */
function AnswerShares({ answers }: { answers: DeskProvider['last_day'] }) {
  const texts = useAdminTexts().channels;
  const format = useFormat();
  const total = PROVIDER_ANSWERS.reduce((sum, name) => sum + (answers?.[name] ?? 0), 0);
  if (answers === null || total === 0) {
    return <span className="text-muted">{texts.noAnswers}</span>;
  }
  const others = PROVIDER_ANSWERS.filter((name) => name !== 'accepted' && answers[name] > 0);
  return (
    <div className="grid gap-0.5 max-sm:text-end">
      <span className="whitespace-nowrap">
        {texts.shareOf(format.percent(answers.accepted / total), format.number(total))}
      </span>
      {others.map((name) => (
        <span key={name} className="text-sm text-muted">
          {texts.answers[name]}: {format.number(answers[name])}
        </span>
      ))}
    </div>
  );
}

function Check({ name }: { name: string }) {
  const texts = useAdminTexts().channels;
  const check = useAction('checkProvider');
  const { data } = check;
  return (
    <div className="grid justify-items-start gap-1">
      <Button
        aria-label={texts.checkOf(name)}
        isBusy={check.isPending}
        onClick={() => check.mutate({ params: { provider: name } })}
      >
        {texts.runCheck}
      </Button>
      <div role="status" className="grid gap-0.5 text-sm">
        {data !== undefined && (
          <>
            <span className={data.result === 'ok' ? 'text-ok' : 'text-bad'}>
              {texts.results[data.result]}
            </span>
            {data.balance !== null && <span>{texts.balance(data.balance)}</span>}
            {data.detail !== null && data.balance === null && (
              <span lang="en" className="max-w-64 wrap-anywhere text-muted">
                {data.detail}
              </span>
            )}
          </>
        )}
      </div>
      <Refusal error={check.error} />
    </div>
  );
}

function Nodes({ nodes }: { nodes: Channels['nodes'] }) {
  const texts = useAdminTexts().channels;
  return (
    <Card title={texts.nodes}>
      {nodes.length === 0 ? (
        <p className="text-table text-muted">{texts.noNodes}</p>
      ) : (
        <ul className="grid gap-1.5 text-table">
          {nodes.map(({ name, version, started_at: startedAt }) => (
            <li key={name} className="flex flex-wrap gap-x-4">
              <span className="font-mono wrap-anywhere">{name}</span>
              <span className="text-muted">
                {texts.nodeVersion(version)}, {texts.nodeStarted} <Time at={startedAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function QualitySection() {
  const texts = useAdminTexts().channels;
  const { filters, setFilters } = useFilters(FILTERS);
  const range = filters.range ?? '24h';
  const quality = useQuery(queryOf('channelQuality', { query: { range } }));
  const columns = useQualityColumns();
  return (
    <section className="grid min-w-0 gap-2">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg">{texts.quality}</h2>
        <Segments
          label={texts.range}
          isLabelHidden
          options={optionsOf(texts.ranges)}
          value={range}
          onChoose={(chosen) => setFilters({ range: chosen })}
        />
      </div>
      {quality.data !== undefined && (
        <p className="text-sm text-muted">
          {texts.qualityLead(quality.data.messages_per_company_max)}
        </p>
      )}
      {quality.error !== null ? (
        <Failure error={quality.error} onRetry={quality.refetch} />
      ) : (
        <DataTable
          caption={texts.quality}
          columns={columns}
          rows={quality.data?.channels}
          rowKey={({ channel }) => channel}
          isRefetching={quality.isPlaceholderData}
          empty={null}
        />
      )}
    </section>
  );
}

function useQualityColumns(): Column<Quality>[] {
  const texts = useAdminTexts().channels;
  const format = useFormat();
  const share = (part: number, { messages }: Quality) =>
    messages === 0 ? '—' : format.percent(part / messages);
  return [
    {
      id: 'channel',
      title: texts.channel,
      cell: ({ channel }) => <ChannelLabel channel={channel} />,
    },
    {
      id: 'messages',
      title: texts.attempts,
      cell: ({ messages }) => format.number(messages),
      isNumber: true,
    },
    {
      id: 'confirmed',
      title: texts.confirmed,
      cell: (row) => share(row.confirmed, row),
      isNumber: true,
    },
    { id: 'failed', title: texts.failed, cell: (row) => share(row.failed, row), isNumber: true },
    {
      id: 'time',
      title: texts.confirmTime,
      cell: ({ confirm_ms_p95: ms }) => (ms === null ? '—' : texts.seconds(format.seconds(ms))),
      isNumber: true,
    },
    {
      id: 'reasons',
      title: texts.reasons,
      cell: ({ reasons }) =>
        reasons.length > 0 && (
          <ul className="grid gap-0.5 text-sm">
            {reasons.map(({ reason, count }) => (
              <li key={reason}>
                <span lang="ru">{reason}</span>: {format.number(count)}
              </li>
            ))}
          </ul>
        ),
      onCard: 'plain',
    },
  ];
}
