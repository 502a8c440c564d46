import { useQuery } from '@tanstack/react-query';
import { type DeskJob, RETRIED_WORK } from '@zhiber/contract/admin/jobs.ts';
import { CircleCheck, CircleX, Clock, type LucideIcon, Play, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useAdminTexts } from '../texts/use-admin-texts.ts';
import { useFormat } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Chip, type Tone } from '../ui/display/chip.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { Refusal } from '../ui/display/refusal.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { Time } from '../ui/display/time.tsx';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';
import { type Column, DataTable } from '../ui/table/data-table.tsx';
import { type DeskAnswer, queryOf, useAction } from './call.ts';
import { DeskSection } from './desk-section.tsx';
import { readSchedule } from './schedule.ts';

const REFRESH_MS = 5_000;
const CHANGED = { invalidates: ['jobs'] } as const;

type Jobs = DeskAnswer<'jobs'>;
type Work = Jobs['work'][number];
type Queue = Jobs['queues'][number];

/** What runs by itself, and what is stuck. */
export function JobsPage() {
  const { frame, jobs: texts } = useAdminTexts();
  const list = useQuery({ ...queryOf('jobs'), refetchInterval: REFRESH_MS });
  return (
    <Page title={frame.sections.jobs} lead={texts.lead}>
      {list.data === undefined && list.error !== null && (
        <Failure error={list.error} onRetry={list.refetch} />
      )}
      {list.isPending && <SkeletonCard lines={6} />}
      {list.data !== undefined && (
        <>
          <WaitingWork work={list.data.work} />
          <DeskSection title={texts.queues}>
            <ul className="rounded-card border border-hairline bg-surface">
              {list.data.queues.map((queue) => (
                <QueueItem key={queue.name} queue={queue} />
              ))}
            </ul>
          </DeskSection>
        </>
      )}
    </Page>
  );
}

function WaitingWork({ work }: { work: readonly Work[] }) {
  const texts = useAdminTexts().jobs;
  const format = useFormat();
  const [retried, setRetried] = useState<Work>();
  const number = (count: number) => (
    <span className={count > 0 ? 'font-medium text-bad' : undefined}>{format.number(count)}</span>
  );
  const columns: Column<Work>[] = [
    { id: 'kind', title: texts.workKind, cell: ({ kind }) => texts.workKinds[kind] },
    { id: 'overdue', title: texts.overdue, cell: (row) => number(row.overdue), isNumber: true },
    { id: 'given', title: texts.givenUp, cell: (row) => number(row.given_up), isNumber: true },
    {
      id: 'oldest',
      title: texts.oldest,
      cell: ({ oldest_at: at }) =>
        at === null ? <span className="text-faint">—</span> : <Time at={at} as="timeToMinute" />,
    },
    {
      id: 'retry',
      title: texts.retryAll,
      isTitleHidden: true,
      cell: (row) =>
        row.given_up > 0 &&
        isRetried(row.kind) && (
          <Button
            aria-label={texts.retryAllOf(texts.workKinds[row.kind])}
            onClick={() => setRetried(row)}
          >
            {texts.retryAll}
          </Button>
        ),
      onCard: 'plain',
    },
  ];
  return (
    <DeskSection title={texts.work}>
      <DataTable
        caption={texts.work}
        columns={columns}
        rows={work}
        rowKey={({ kind }) => kind}
        empty={null}
      />
      {retried !== undefined && (
        <RetryDialog work={retried} onClose={() => setRetried(undefined)} />
      )}
    </DeskSection>
  );
}

function isRetried(kind: string): boolean {
  return RETRIED_WORK.some((one) => one === kind);
}

function RetryDialog({ work, onClose }: { work: Work; onClose: () => void }) {
  const texts = useAdminTexts().jobs;
  const format = useFormat();
  const retry = useAction('retryWork', CHANGED);
  return (
    <ConfirmDialog
      title={texts.retryAllOf(texts.workKinds[work.kind])}
      action={texts.retryAll}
      state={retry}
      onConfirm={() => retry.mutate({ params: { kind: work.kind } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{texts.retryAllLead(format.number(work.given_up))}</p>
    </ConfirmDialog>
  );
}

function QueueItem({ queue }: { queue: Queue }) {
  const texts = useAdminTexts().jobs;
  const format = useFormat();
  const schedule = useScheduleText();
  const title = texts.names[queue.name] ?? queue.name;
  const counts = (['waiting', 'active', 'failed'] as const)
    .map((name) => ({ name, count: queue[name] }))
    .filter(({ count }) => count > 0);
  const run = useAction('runJob', CHANGED);
  const retry = useAction('retryJob', CHANGED);
  const columns = useJobColumns({
    isBusy: retry.isPending,
    onRetry: (id) => retry.mutate({ params: { queue: queue.name, job_id: id } }),
  });
  return (
    <li className="grid min-w-0 gap-3 border-hairline px-4 py-3 not-first:border-t">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="grid gap-0.5">
          <h3 className="text-base">{title}</h3>
          <p className="flex flex-wrap gap-x-4 gap-y-0.5 text-table text-muted">
            <span>{queue.cron === null ? texts.onDemand : schedule(queue.cron)}</span>
            {queue.next_at !== null && (
              <span>
                {texts.next}: <Time at={queue.next_at} as="timeToMinute" />
              </span>
            )}
            {counts.map(({ name, count }) => (
              <span key={name} className={name === 'failed' ? 'text-bad' : undefined}>
                {texts.counts[name](format.number(count))}
              </span>
            ))}
            {queue.jobs.length === 0 && <span>{texts.noRuns}</span>}
          </p>
        </div>
        <Button
          aria-label={texts.runOf(title)}
          icon={<Play aria-hidden="true" size={16} />}
          isBusy={run.isPending}
          disabled={queue.waiting > 0}
          onClick={() => run.mutate({ params: { queue: queue.name } })}
        >
          {texts.run}
        </Button>
      </div>
      <Refusal error={run.error ?? retry.error} />
      <DataTable
        caption={`${texts.lastRuns}: ${title}`}
        columns={columns}
        rows={queue.jobs}
        rowKey={({ id }) => id}
        empty={null}
      />
    </li>
  );
}

/** A schedule of a kind that this page does not know is shown as it is written. */
function useScheduleText(): (cron: string) => string {
  const texts = useAdminTexts().jobs.schedules;
  return (cron) => {
    const schedule = readSchedule(cron);
    switch (schedule?.every) {
      case 'minutes':
        return texts.minutes(schedule.minutes);
      case 'hour':
        return texts.hour(schedule.minute);
      case 'day':
        return texts.day(schedule.time);
      default:
        return texts.other(cron);
    }
  };
}

const STATE_LOOKS: Record<DeskJob['state'], { tone: Tone; icon: LucideIcon }> = {
  created: { tone: 'calm', icon: Clock },
  retry: { tone: 'warn', icon: RotateCw },
  active: { tone: 'info', icon: Play },
  completed: { tone: 'ok', icon: CircleCheck },
  cancelled: { tone: 'calm', icon: CircleX },
  failed: { tone: 'bad', icon: CircleX },
};

function useJobColumns(props: {
  isBusy: boolean;
  onRetry: (id: string) => void;
}): Column<DeskJob>[] {
  const texts = useAdminTexts().jobs;
  const format = useFormat();
  const took = ({ started_at: from, completed_at: to }: DeskJob) =>
    from === null || to === null
      ? '—'
      : texts.seconds(format.seconds(Date.parse(to) - Date.parse(from)));
  return [
    { id: 'created', title: texts.created, cell: ({ created_at: at }) => <Time at={at} /> },
    {
      id: 'state',
      title: texts.state,
      cell: ({ state }) => <Chip {...STATE_LOOKS[state]}>{texts.states[state]}</Chip>,
    },
    { id: 'took', title: texts.took, cell: took, isNumber: true },
    {
      id: 'tries',
      title: texts.tries,
      cell: ({ tries }) => format.number(tries),
      isNumber: true,
    },
    {
      id: 'error',
      title: texts.error,
      cell: ({ id, state, error }) => (
        <div className="grid justify-items-start gap-1">
          {error !== null && (
            <code lang="en" className="text-sm wrap-anywhere whitespace-pre-line">
              {error}
            </code>
          )}
          {state === 'failed' && (
            <Button isBusy={props.isBusy} onClick={() => props.onRetry(id)}>
              {texts.retry}
            </Button>
          )}
        </div>
      ),
      onCard: 'plain',
    },
  ];
}
