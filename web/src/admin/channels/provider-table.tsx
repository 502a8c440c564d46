import { type DeskProvider, PROVIDER_ANSWERS } from '@zhiber/contract/admin/channels.ts';
import { CircleAlert, CircleCheck, Unplug } from 'lucide-react';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { ChannelLabel } from '../../ui/display/channel.tsx';
import { Chip } from '../../ui/display/chip.tsx';
import { Refusal } from '../../ui/display/refusal.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { useAction } from '../call.ts';
import { DeskSection } from '../desk-section.tsx';

export function ProviderTable(props: {
  title: string;
  providers: readonly DeskProvider[];
  hasAnswers?: boolean;
}) {
  const { title, providers, hasAnswers = false } = props;
  const texts = useAdminTexts().channels;
  const columns = useProviderColumns(hasAnswers);
  const nameOf = useProviderName();
  const missing = providers.filter((provider) => !provider.is_configured);
  return (
    <DeskSection title={title}>
      <DataTable
        caption={title}
        columns={columns}
        rows={providers.filter((provider) => provider.is_configured)}
        rowKey={({ name }) => name}
        empty={<p className="text-table text-muted">{texts.noneConfigured}</p>}
      />
      {missing.length > 0 && missing.length < providers.length && (
        <p className="text-sm text-muted">
          {texts.notConfigured}: {missing.map(nameOf).join(', ')}
        </p>
      )}
    </DeskSection>
  );
}

/** Banks have names that companies see; providers of messages go by their name in the settings. */
function useProviderName(): (provider: DeskProvider) => string {
  const banks: Readonly<Record<string, string>> = useTexts().topup.providers;
  return ({ kind, name }) => (kind === 'payments' ? (banks[name] ?? name) : name);
}

function useProviderColumns(hasAnswers: boolean): Column<DeskProvider>[] {
  const texts = useAdminTexts().channels;
  const nameOf = useProviderName();
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
        <span className="font-medium">{nameOf(provider)}</span>
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
  const down = nodes.filter(({ is_up: isUp }) => isUp === false);
  const details = [...new Set(nodes.flatMap(({ detail }) => detail ?? []))];
  const waiting = nodes.reduce((sum, { in_flight: count }) => sum + count, 0);
  return (
    <div className="grid justify-items-start gap-1">
      {broken.length > 0 && (
        <Chip tone="bad" icon={CircleAlert}>
          {texts.circuitOpen(broken.join(', '))}
        </Chip>
      )}
      {down.length > 0 && (
        <Chip tone="bad" icon={Unplug}>
          {texts.down(down.map(({ node }) => node).join(', '))}
        </Chip>
      )}
      {broken.length === 0 && down.length === 0 && (
        <Chip tone="ok" icon={CircleCheck}>
          {nodes.some(({ is_up: isUp }) => isUp) ? texts.up : texts.works}
        </Chip>
      )}
      {details.map((detail) => (
        <span key={detail} lang="en" className="max-w-64 text-sm wrap-anywhere text-muted">
          {detail}
        </span>
      ))}
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
