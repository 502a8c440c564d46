import { type ReactNode, type Ref, useEffect, useState } from 'react';
import { useFormat, useLang, useTexts } from '../../texts/use-texts.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Chip } from '../../ui/display/chip.tsx';
import { ErrorCard } from '../../ui/display/error-card.tsx';
import { JsonView } from '../../ui/display/json-view.tsx';
import type { Outcome, PlaygroundLinks } from '../backend.ts';
import { Panel } from '../panel.tsx';
import { statusTone } from '../status-tone.ts';
import type { EndedCall, RunningCall } from '../use-calls.ts';

/** Below this a wait is not felt, and a counter would only flicker. */
const SHOW_WAITING_MS = 400;
const TICK_MS = 100;

/** What the API answered, as it answered it: a refusal is an answer like any other. */
export function AnswerPanel(props: {
  ref: Ref<HTMLDetailsElement>;
  ended: EndedCall | undefined;
  running: RunningCall | undefined;
  requestLink: PlaygroundLinks['request'];
}) {
  const { ended, running } = props;
  const texts = useTexts().playground;
  const waitedMs = useWaitedMs(running);
  const isWaiting = waitedMs > SHOW_WAITING_MS;
  return (
    // A busy region is not read out until it has come to rest.
    <Panel ref={props.ref} title={texts.answer} isBusy={isWaiting}>
      <div className="grid gap-3">
        <p
          role="status"
          className="flex flex-wrap items-center gap-x-3 gap-y-1 text-table wrap-anywhere"
        >
          {isWaiting ? (
            <Waiting ms={waitedMs} />
          ) : (
            <Summary ended={ended} requestLink={props.requestLink} />
          )}
        </p>
        {!isWaiting && ended !== undefined && <Details outcome={ended.outcome} />}
      </div>
    </Panel>
  );
}

/** How long the call under way has taken so far; 0 when there is none. */
function useWaitedMs(running: RunningCall | undefined): number {
  const [now, setNow] = useState(0);
  useEffect(() => {
    if (running === undefined) return;
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [running]);
  return running === undefined ? 0 : Math.max(0, now - running.startedAt);
}

function Waiting({ ms }: { ms: number }) {
  const texts = useTexts().playground;
  const format = useFormat();
  return <Chip tone="info">{texts.waiting(format.tenths(ms))}</Chip>;
}

function Summary(props: {
  ended: EndedCall | undefined;
  requestLink: PlaygroundLinks['request'];
}): ReactNode {
  const { ended, requestLink } = props;
  const texts = useTexts().playground;
  if (ended === undefined) return <span className="text-muted">{texts.noAnswer}</span>;
  const { path, outcome } = ended;
  switch (outcome.kind) {
    case 'away':
      return <Chip tone="bad">{texts.serverAway}</Chip>;
    case 'tooSlow':
      return <Chip tone="bad">{texts.tooSlow(outcome.seconds)}</Chip>;
    case 'refused':
      return null;
    case 'answered':
      return (
        <>
          <Chip tone={statusTone(outcome.status)}>{outcome.status}</Chip>{' '}
          <span>{texts.milliseconds(outcome.ms)}</span>{' '}
          <code translate="no" className="font-mono text-sm">
            POST {path}
          </code>{' '}
          {outcome.requestId !== undefined && requestLink(outcome.requestId)}
        </>
      );
  }
}

function Details({ outcome }: { outcome: Outcome }) {
  if (outcome.kind === 'refused') return <ErrorCard error={outcome.error} />;
  if (outcome.kind !== 'answered') return null;
  const { body } = outcome;
  const isText = typeof body === 'string';
  return (
    <>
      <div className="relative">
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it with the arrow keys.
          tabIndex={0}
          translate="no"
          className="max-h-96 overflow-auto rounded-control bg-sunken p-3 pe-11 font-mono text-sm whitespace-pre-wrap wrap-anywhere"
        >
          <code>{isText ? body : <JsonView value={body} />}</code>
        </pre>
        <div className="absolute end-1 top-1">
          <CopyButton isIcon text={isText ? body : JSON.stringify(body, null, 2)} />
        </div>
      </div>
      <AnswerLinks body={body} />
    </>
  );
}

function AnswerLinks({ body }: { body: unknown }) {
  const texts = useTexts().playground;
  const { lang } = useLang();
  const { error_code: code, short_url: link } = (body ?? {}) as Record<string, unknown>;
  return (
    <>
      {typeof code === 'string' && (
        <a
          href={`/docs/errors/${encodeURIComponent(code)}?lang=${lang}`}
          target="_blank"
          rel="noopener"
          className="link text-table"
        >
          {texts.whatToDo}
        </a>
      )}
      {typeof link === 'string' && /^https?:\/\//.test(link) && (
        <a href={link} target="_blank" rel="noopener noreferrer" className="link text-table">
          {texts.openLink}
        </a>
      )}
    </>
  );
}
