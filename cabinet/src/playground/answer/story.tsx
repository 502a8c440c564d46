import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { MessageDetail, TimelineStep } from '@zhiber/contract/cabinet/messages.ts';
import {
  SAYS_WHY,
  STEP_TONES,
} from '../../../../server/src/http/pages/assets/client/step-tones.ts';
import { queryOf } from '../../queries.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { classes } from '../../ui/classes.ts';
import { Card } from '../../ui/display/card.tsx';
import { ChannelLabel } from '../../ui/display/channel.tsx';
import { ErrorCard } from '../../ui/display/error-card.tsx';
import { Skeleton } from '../../ui/display/skeleton.tsx';
import { StatusChip } from '../../ui/display/status-chip.tsx';

const POLL_MS = 2_000;
/** Nothing more is expected of these but a click or a code that is verified. */
const SETTLED: ReadonlySet<string> = new Set(['delivered', 'read', 'failed', 'unconfirmed']);

const DOTS = {
  plain: 'bg-border',
  info: 'bg-info',
  ok: 'bg-ok',
  warn: 'bg-warn',
  bad: 'bg-bad',
} as const satisfies Record<(typeof STEP_TONES)[keyof typeof STEP_TONES], string>;

/** What became of a message, step by step; news come by events, and by asking until it is settled. */
export function Story({ messageId }: { messageId: string | undefined }) {
  const texts = useTexts().playground;
  return (
    <Card title={texts.story}>
      {messageId === undefined ? (
        <p className="text-table text-muted">{texts.noStory}</p>
      ) : (
        <MessageStory id={messageId} />
      )}
    </Card>
  );
}

function MessageStory({ id }: { id: string }) {
  const message = useQuery({
    ...queryOf('message', { params: { id } }),
    refetchInterval: ({ state }) => {
      const isSettled = state.data !== undefined && SETTLED.has(state.data.state);
      return isSettled || state.status === 'error' ? false : POLL_MS;
    },
  });
  if (message.error !== null) {
    return <ErrorCard error={message.error} onRetry={message.refetch} />;
  }
  if (message.data === undefined) return <Skeleton className="w-1/2" />;
  return <Steps message={message.data} />;
}

function Steps({ message }: { message: MessageDetail }) {
  const texts = useTexts().playground;
  const format = useFormat();
  const { id, phone, state, channel, mode, cost, steps, at } = message;
  return (
    <div className="grid gap-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-table">
        <StatusChip state={state} />
        <span>{format.phone(phone)}</span>
        {channel !== null && <ChannelLabel channel={channel} />}
        <span>{mode === 'test' ? texts.freeTest : format.money(cost)}</span>
        <Link to="/app/messages/$id" params={{ id }} className="link">
          {texts.openMessage}
        </Link>
      </p>
      <ol className="grid">
        {steps.map((step) => (
          <Step key={`${step.at} ${step.step} ${step.channel}`} step={step} startedAt={at} />
        ))}
      </ol>
    </div>
  );
}

function Step({ step, startedAt }: { step: TimelineStep; startedAt: string }) {
  const texts = useTexts().playground;
  const format = useFormat();
  const ms = Math.max(0, Date.parse(step.at) - Date.parse(startedAt));
  return (
    <li className="relative flex gap-3 pb-2.5 text-table before:absolute before:top-3 before:bottom-[-0.25rem] before:left-[4.5px] before:w-px before:bg-hairline last:before:hidden">
      <span
        aria-hidden="true"
        className={classes(
          'relative mt-1.5 size-2.5 shrink-0 rounded-full',
          DOTS[STEP_TONES[step.step]],
        )}
      />
      <div className="min-w-0">
        <p className="flex flex-wrap gap-x-2">
          <strong className="font-medium">{texts.steps[step.step]}</strong>
          {step.channel !== null && <ChannelLabel channel={step.channel} />}
          <time dateTime={step.at} title={format.time(step.at)} className="text-muted">
            {texts.after(format.seconds(ms))}
          </time>
        </p>
        {SAYS_WHY.has(step.step) && (
          <p lang="ru" className="text-sm text-muted">
            {step.text}
          </p>
        )}
      </div>
    </li>
  );
}
