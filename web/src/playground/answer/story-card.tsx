import type { TimelineStep } from '@zhiber/contract/cabinet/messages.ts';
import type { Ref } from 'react';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { classes } from '../../ui/classes.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Card } from '../../ui/display/card.tsx';
import { ChannelLabel } from '../../ui/display/channel.tsx';
import { StatusChip } from '../../ui/display/status-chip.tsx';
import type { PlaygroundLinks, Story } from '../backend.ts';
import { SAYS_WHY, STEP_TONES } from '../step-tones.ts';

type Tone = (typeof STEP_TONES)[keyof typeof STEP_TONES];

/** A round dot for what goes well, a square one for what does not: colour is never alone. */
const DOTS = {
  plain: 'rounded-full border-border bg-surface',
  info: 'rounded-full border-info bg-surface',
  ok: 'rounded-full border-ok bg-ok',
  warn: 'rounded-[3px] border-warn bg-surface',
  bad: 'rounded-[3px] border-bad bg-bad',
} as const satisfies Record<Tone, string>;

const WORDS = {
  plain: '',
  info: 'text-info',
  ok: 'text-ok',
  warn: 'text-warn',
  bad: 'text-bad',
} as const satisfies Record<Tone, string>;

/** What became of a message, step by step. */
export function StoryCard(props: {
  ref: Ref<HTMLDivElement>;
  story: Story | undefined;
  hasFailed: boolean;
  /** The last request made no message. */
  isRefused: boolean;
  onRetry: () => void;
  messageLink: PlaygroundLinks['message'];
}) {
  const { story, hasFailed, isRefused, onRetry, messageLink } = props;
  const texts = useTexts();
  return (
    <div ref={props.ref} className="scroll-my-3">
      <Card title={texts.playground.story}>
        {hasFailed && (
          <p role="alert" className="mb-3 flex flex-wrap items-center gap-3 text-table text-bad">
            {texts.playground.storyFailed}
            <Button onClick={onRetry}>{texts.ui.retry}</Button>
          </p>
        )}
        {story === undefined ? (
          <p role={isRefused ? 'status' : undefined} className="text-table text-muted">
            {isRefused ? texts.playground.refusedStory : texts.playground.noStory}
          </p>
        ) : (
          <Steps story={story} messageLink={messageLink} />
        )}
      </Card>
    </div>
  );
}

function Steps(props: { story: Story; messageLink: PlaygroundLinks['message'] }) {
  const format = useFormat();
  const texts = useTexts().playground;
  const { id, phone, state, channel, mode, cost, steps, at } = props.story;
  const isPending = state === 'queued' || state === 'sending';
  return (
    <div className="grid gap-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-table">
        <StatusChip state={state} /> <span>{format.phone(phone)}</span>{' '}
        {channel !== null && <ChannelLabel channel={channel} />}{' '}
        <span>{isPending ? texts.notSettled : format.money(mode === 'test' ? 0 : cost)}</span>{' '}
        {props.messageLink(id)}
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
  const { playground: texts, ui } = useTexts();
  const format = useFormat();
  const ms = Math.max(0, Date.parse(step.at) - Date.parse(startedAt));
  const tone = STEP_TONES[step.step];
  return (
    <li className="relative flex gap-3 pb-2.5 text-table before:absolute before:top-4 before:-bottom-1 before:left-[5px] before:w-0.5 before:bg-hairline last:pb-0 last:before:hidden">
      <span
        aria-hidden="true"
        className={classes('relative mt-1 size-3 shrink-0 border-2', DOTS[tone])}
      />
      <div className="min-w-0 grow">
        <p className="flex flex-wrap gap-x-2">
          <strong className={classes('font-semibold', WORDS[tone])}>{ui.steps[step.step]()}</strong>{' '}
          {step.channel !== null && <ChannelLabel channel={step.channel} />}{' '}
          <time
            dateTime={step.at}
            title={format.time(step.at)}
            className="ms-auto text-sm text-faint"
          >
            {texts.after(format.tenths(ms))}
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
