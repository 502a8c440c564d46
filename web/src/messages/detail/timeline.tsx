import type { MessageDetail, TimelineStep } from '@zhiber/contract/cabinet/messages.ts';
import { smsWayText } from '@zhiber/contract/message/sms-route-text.ts';
import type { Format } from '../../design/format/format.ts';
import { formatSpan } from '../../design/format/span.ts';
import { capitalise } from '../../texts/capitalise.ts';
import { useFormat, useLang, useTexts } from '../../texts/use-texts.tsx';
import { classes } from '../../ui/classes.ts';
import { isUnsettledState } from '../unsettled.ts';
import { type Gap, gapsOf } from './gaps.ts';
import { useStepWords } from './step-words.ts';

const BAR_MIN_PX = 10;
const BAR_MAX_PX = 72;

type Tone = 'calm' | 'info' | 'ok' | 'warn' | 'bad';
const DOTS: Record<Tone, string> = {
  calm: 'border-border bg-surface',
  info: 'border-info bg-info-tint',
  ok: 'border-ok bg-ok',
  warn: 'border-warn bg-warn',
  bad: 'border-bad bg-bad',
};
const TONES: Record<TimelineStep['step'], Tone> = {
  accepted: 'calm',
  attempt: 'calm',
  fallback: 'calm',
  sent: 'info',
  refused: 'bad',
  unavailable: 'bad',
  unknown: 'warn',
  unconfirmed: 'warn',
  failed: 'bad',
  delivered: 'ok',
  read: 'ok',
  verified: 'ok',
  clicked: 'ok',
};

/** Every step with its time; the bar between two steps shows how long the step took. */
export function Timeline({ message }: { message: MessageDetail }) {
  const texts = useTexts().messages;
  const gaps = gapsOf(message.steps);
  return (
    <section className="grid gap-3">
      <h3 className="text-base">{texts.timelineTitle}</h3>
      <ol className="grid">
        {message.steps.map((step, place) => (
          <Step
            key={place}
            step={step}
            message={message}
            gap={place === 0 ? undefined : gaps[place]}
          />
        ))}
      </ol>
      <Total message={message} />
    </section>
  );
}

function Step(props: { step: TimelineStep; message: MessageDetail; gap: Gap | undefined }) {
  const { step, message, gap } = props;
  const texts = useTexts().messages;
  const format = useFormat();
  const { lang } = useLang();
  const { title, note } = useStepWords(step, message);
  return (
    <li>
      {gap !== undefined && <Bar gap={gap} />}
      <div className="grid grid-cols-[auto_1fr_auto] items-baseline gap-x-3 text-table">
        <span
          aria-hidden="true"
          className={classes('size-3 translate-y-px rounded-full border-2', DOTS[TONES[step.step]])}
        />
        <span className="font-medium">{title}</span>
        <span className="flex flex-wrap justify-end gap-x-3 text-sm text-muted">
          {step.cost !== null && <span className="text-text">{format.money(step.cost)}</span>}
          <time dateTime={step.at} title={format.time(step.at)}>
            {format.clockMillis(step.at)}
          </time>
        </span>
        <div className="col-start-2 col-end-4 grid gap-1 text-sm text-muted empty:hidden">
          {note !== undefined && <p>{note}</p>}
          {step.sms !== null && <p>{capitalise(smsWayText(step.sms, lang))}</p>}
          {step.is_late && <p className="text-warn">{texts.lateNote}</p>}
          {step.reason !== null && <Reason text={step.reason} />}
        </div>
      </div>
    </li>
  );
}

/** The provider's own error text. */
function Reason({ text }: { text: string }) {
  const texts = useTexts().messages;
  return (
    <details>
      <summary className="w-fit underline decoration-dotted underline-offset-4">
        {texts.providerSaid}
      </summary>
      <p lang="ru" className="mt-1 rounded-control bg-sunken px-2.5 py-1.5 text-text">
        {text}
      </p>
    </details>
  );
}

function Bar({ gap }: { gap: Gap }) {
  const texts = useTexts();
  const format = useFormat();
  const height = BAR_MIN_PX + gap.share * (BAR_MAX_PX - BAR_MIN_PX);
  const span =
    gap.ms < 100 ? texts.messages.millis(gap.ms) : formatSpan(gap.ms, texts.lists.units, format);
  return (
    <div
      className={classes(
        'ms-[5px] flex items-center border-s-2 ps-[17px] text-sm leading-none text-faint',
        gap.isCut ? 'border-dashed border-hairline' : 'border-hairline',
      )}
      style={{ minHeight: height }}
    >
      {gap.ms > 0 && texts.messages.after(span)}
    </div>
  );
}

function Total({ message }: { message: MessageDetail }) {
  const texts = useTexts();
  const format = useFormat();
  const { took_ms: took } = message;
  const parts = [
    ...(took === null ? [] : [formatSpan(took, texts.lists.units, format)]),
    costText(message, texts.messages, format),
  ];
  return (
    <p className="border-t border-hairline pt-3 text-table">
      <strong>{texts.messages.total}</strong> {parts.join(' · ')}
    </p>
  );
}

/** What is not settled yet has no final cost; after a fallback the charge can still move. */
function costText(
  { state, cost, steps }: MessageDetail,
  texts: ReturnType<typeof useTexts>['messages'],
  format: Format,
): string {
  if (isUnsettledState(state)) return texts.notSettled;
  const hasMoved = steps.some(({ step }) => step === 'fallback');
  if (cost > 0 && state === 'sent' && hasMoved) return texts.chargedSoFar(format.money(cost));
  return cost > 0 ? texts.charged(format.money(cost)) : texts.notCharged;
}
