import { useQuery } from '@tanstack/react-query';
import { RECIPIENT_OUTCOMES } from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { Broadcast, Progress } from '@zhiber/contract/cabinet/broadcasts.ts';
import { queryOf } from '../../queries.ts';
import { useRight } from '../../session.ts';
import { type ProgressTexts, useProgressTexts } from '../../texts/use-progress-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Card, Facts, Stat } from '../../ui/display/card.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { Page } from '../../ui/display/page.tsx';
import { SkeletonCard } from '../../ui/display/skeleton.tsx';
import { Time } from '../../ui/display/time.tsx';
import { BroadcastState } from '../broadcast-state.tsx';
import { filledBody } from '../draft/text-variables.ts';
import { Outcomes } from './outcomes.tsx';
import { PauseNotice } from './pause-notice.tsx';
import { RecipientList } from './recipient-list.tsx';
import { ExportMenu, RepeatFailed } from './results-actions.tsx';
import {
  ChannelSplit,
  Funnel,
  LastFailures,
  Reasons,
  type Results,
  TimesChart,
} from './results-parts.tsx';
import { RunActions } from './run-actions.tsx';

const RUNNING_MS = 2_000;
/** It goes on by itself, or begins. */
const WAITING_MS = 10_000;
/** Most receipts come soon after the end, clicks for a while. */
const RECEIPTS_MS = 10 * 60_000;
const ENDED_MS = 60_000;
const RESULTS_MS = 20_000;

function refreshMs({ state, start_at: startAt, ended_at: endedAt }: Broadcast): number {
  const isStarting = state === 'scheduled' && startAt === null;
  if (state === 'running' || isStarting) return RUNNING_MS;
  if (endedAt === null) return WAITING_MS;
  return Date.now() - new Date(endedAt).getTime() < RECEIPTS_MS ? WAITING_MS : ENDED_MS;
}

/** A broadcast that was scheduled or started: how it goes, and how it went. */
export default function BroadcastProgress(props: { broadcast: Broadcast }) {
  const { id } = props.broadcast;
  const query = queryOf('broadcast', { params: { id } });
  const { data } = useQuery({
    ...query,
    refetchInterval: ({ state }) => refreshMs(state.data ?? props.broadcast),
  });
  const broadcast = data ?? props.broadcast;
  const canChange = useRight('broadcasts.change');
  return (
    <Page
      title={broadcast.name}
      lead={<BroadcastState broadcast={broadcast} />}
      actions={
        isEnded(broadcast) && canChange ? (
          <>
            <RepeatFailed broadcast={broadcast} />
            <ExportMenu id={id} />
          </>
        ) : undefined
      }
    >
      {canChange && !isEnded(broadcast) && <RunActions broadcast={broadcast} />}
      {broadcast.started_at === null ? (
        <Scheduled broadcast={broadcast} />
      ) : (
        <Started broadcast={broadcast} />
      )}
    </Page>
  );
}

function isEnded({ state }: Broadcast): boolean {
  return state === 'done' || state === 'cancelled';
}

function Scheduled({ broadcast }: { broadcast: Broadcast }) {
  const texts = useProgressTexts();
  const format = useFormat();
  const { start_at: startAt } = broadcast;
  return (
    <>
      <PauseNotice broadcast={broadcast} progress={progressOf(broadcast)} />
      <Card
        title={
          startAt === null ? texts.scheduledAtOnce : texts.scheduled(format.timeToMinute(startAt))
        }
      >
        <div className="grid gap-4">
          <Facts
            rows={[
              [texts.recipients, format.number(broadcast.recipients)],
              ...sentText(broadcast, texts),
            ]}
          />
          <p className="text-table text-muted">{texts.scheduledNote}</p>
        </div>
      </Card>
    </>
  );
}

function Started({ broadcast }: { broadcast: Broadcast }) {
  const { id } = broadcast;
  const texts = useProgressTexts();
  const {
    data: results,
    error,
    refetch,
  } = useQuery({
    ...queryOf('results', { params: { id } }),
    refetchInterval: isEnded(broadcast) ? refreshMs(broadcast) : RESULTS_MS,
  });
  // Of a run the server counts all the time; of an ended one when the results are asked for.
  const progress = isEnded(broadcast)
    ? (results?.progress ?? progressOf(broadcast))
    : progressOf(broadcast);
  return (
    <>
      <PauseNotice broadcast={broadcast} progress={progress} />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <div className="grid gap-5">
          <Card title={texts.progress}>
            <Outcomes progress={progress} />
            {broadcast.state === 'running' && (
              <p className="mt-3 text-sm text-muted">{texts.tabIsSafe}</p>
            )}
          </Card>
          {isEnded(broadcast) && <ChannelSplit progress={progress} />}
        </div>
        <div className="grid gap-5">
          <Figures broadcast={broadcast} progress={progress} />
          {isEnded(broadcast) ? (
            <Funnel progress={progress} />
          ) : (
            <ChannelSplit progress={progress} />
          )}
        </div>
      </div>
      {error !== null && <Failure error={error} onRetry={refetch} />}
      {error === null && results === undefined && <SkeletonCard lines={4} />}
      {results !== undefined && <Details results={results} />}
      <RecipientList id={id} />
      <Card>
        <Facts rows={sentText(broadcast, texts)} />
      </Card>
    </>
  );
}

function Details({ results }: { results: Results }) {
  return (
    <>
      <TimesChart results={results} />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Reasons results={results} />
        <LastFailures results={results} />
      </div>
    </>
  );
}

/** What is known of a broadcast that was not counted yet: everybody waits. */
function progressOf({ progress, recipients, created_at }: Broadcast): Progress {
  if (progress !== null) return progress;
  const none = Object.fromEntries(RECIPIENT_OUTCOMES.map((name) => [name, 0]));
  return {
    recipients,
    outcomes: { ...(none as Progress['outcomes']), waiting: recipients },
    clicked: 0,
    unsubscribed: 0,
    charged: 0,
    channels: { whatsapp: 0, telegram: 0, sms: 0 },
    rate: 0,
    ends_at: null,
    counted_at: created_at,
  };
}

function Figures({ broadcast, progress }: { broadcast: Broadcast; progress: Progress }) {
  const texts = useProgressTexts();
  const format = useFormat();
  const { started_at: startedAt, ended_at: endedAt, held, state } = broadcast;
  return (
    <div className="grid gap-3 min-[24rem]:grid-cols-2">
      {state === 'running' && (
        <>
          <Stat label={texts.rate} value={<RateWords rate={progress.rate} />} />
          <Stat
            label={texts.endsAt}
            value={
              <Words>
                {progress.ends_at === null ? (
                  texts.unknownEnd
                ) : (
                  <Time at={progress.ends_at} as="timeToMinute" />
                )}
              </Words>
            }
          />
        </>
      )}
      <Stat
        label={texts.charged}
        value={format.money(progress.charged)}
        note={held > 0 ? texts.held(format.money(held)) : undefined}
      />
      {isEnded(broadcast) ? (
        <Stat
          label={texts.ended}
          value={<Words>{endedAt === null ? '—' : <Time at={endedAt} as="timeToMinute" />}</Words>}
          note={startedAt !== null && <StartedAt at={startedAt} />}
        />
      ) : (
        <Stat
          label={texts.clicked}
          value={format.number(progress.clicked)}
          note={`${texts.unsubscribed}: ${format.number(progress.unsubscribed)}`}
        />
      )}
    </div>
  );
}

function StartedAt({ at }: { at: string }) {
  const texts = useProgressTexts();
  return (
    <>
      {texts.started}: <Time at={at} as="timeToMinute" />
    </>
  );
}

/** A slow one by the minute: 0.2 in a second says little. */
function RateWords({ rate }: { rate: number }) {
  const texts = useProgressTexts();
  const format = useFormat();
  return (
    <Words>
      {rate >= 1 ? texts.perSecond(format.number(rate)) : texts.perMinute(format.number(rate * 60))}
    </Words>
  );
}

/** Text in a Stat: the height of a number, but a smaller font. */
function Words({ children }: { children: React.ReactNode }) {
  return <span className="block py-1 text-base tracking-normal">{children}</span>;
}

function sentText(
  { text, url, channels, whatsapp_template: template }: Broadcast,
  texts: ProgressTexts,
) {
  const isTemplateSent = template !== null && channels.includes('whatsapp');
  const words = [
    ['text', text] as const,
    ['whatsappTemplate', isTemplateSent ? filledBody(template) : ''] as const,
    ['link', url ?? ''] as const,
  ].filter(([, value]) => value !== '');
  return words.map(
    ([name, value]) =>
      [
        texts[name],
        <span key={name} className="whitespace-pre-wrap wrap-anywhere">
          {value}
        </span>,
      ] as const,
  );
}
