import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useTexts } from '../texts/use-texts.tsx';
import { useShortcut } from '../ui/overlays/shortcuts.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';
import { Phone } from '../ui/phone/phone.tsx';
import type { ReceivedMessage } from '../ui/phone/received-message.ts';
import { AnswerPanel } from './answer/answer-panel.tsx';
import { StoryCard } from './answer/story-card.tsx';
import { VerifyCard } from './answer/verify-card.tsx';
import type {
  PlaygroundBackend,
  PlaygroundFacts,
  PlaygroundKey,
  PlaygroundLinks,
} from './backend.ts';
import { History } from './history.tsx';
import { SwitchesCard } from './phone/switches-card.tsx';
import { type Draft, withFirstGroup } from './request/draft.ts';
import { RequestCard } from './request/request-card.tsx';
import { SnippetPanel } from './request/snippet-panel.tsx';
import type { Runs } from './runs.ts';
import type { EndedCall } from './use-calls.ts';
import { usePlayground, useShownCode } from './use-playground.ts';

/** One column on a narrow place, with the phone on top; then two; then three. */
const COLUMNS =
  'flex flex-col items-stretch gap-4 [reading-flow:flex-visual] @3xl/playground:grid @3xl/playground:grid-cols-[minmax(0,1fr)_20rem] @3xl/playground:items-start @3xl/playground:gap-5 @min-[66rem]/playground:grid-cols-[minmax(0,25.5rem)_minmax(0,1fr)_20rem]';
/** In one column the phone and the switches part: one goes on top, the other stays last. */
const PHONE_COLUMN =
  'contents @3xl/playground:sticky @3xl/playground:top-(--playground-top,1rem) @3xl/playground:col-start-2 @3xl/playground:row-span-2 @3xl/playground:row-start-1 @3xl/playground:grid @3xl/playground:gap-4 @min-[66rem]/playground:col-start-3 @min-[66rem]/playground:row-span-1';

export type PlaygroundProps = {
  backend: PlaygroundBackend;
  facts: PlaygroundFacts;
  apiKey: PlaygroundKey;
  keyChoice: ReactNode;
  draft: Draft;
  links: PlaygroundLinks;
  runs: Runs;
  /** Asks before a message goes to a real phone; absent where there is nothing to ask. */
  withConsent?: (send: () => void) => void;
};

/** The request, the answer with its story, and the phone: three columns where there is room. */
export function Playground(props: PlaygroundProps) {
  const { facts, apiKey, keyChoice, links, runs } = props;
  const draft = withFirstGroup(props.draft, facts.groups);
  const { verify, story, phone, switches, calls, ...actions } = usePlayground({
    backend: props.backend,
    facts,
    apiKey,
    draft,
    addRun: runs.addRun,
    withConsent: props.withConsent,
  });
  const answer = useRef<HTMLDetailsElement>(null);
  const device = useRef<HTMLDivElement>(null);
  const storyPlace = useRef<HTMLDivElement>(null);
  const codeField = useRef<HTMLInputElement>(null);
  useRevealed({ ended: calls.ended, answer, device });
  const request = { ...draft, facts, apiKey };

  const takeCode = (message: ReceivedMessage) => {
    actions.takeCode(message);
    codeField.current?.closest('section')?.scrollIntoView({ block: 'nearest' });
  };
  const shownCode = useShownCode({ draft, apiKey }, verify);
  usePlaygroundKeys({ send: actions.send, takeCode, messages: phone.messages, codeField });

  return (
    <div className="@container/playground">
      <div className={COLUMNS}>
        <div className="grid min-w-0 gap-4">
          {/* biome-ignore lint/a11y/noStaticElementInteractions: it only follows where the focus is. */}
          <div onFocus={() => shownCode.show('form')}>
            <RequestCard
              {...request}
              keyChoice={keyChoice}
              groupsLink={links.groups}
              isBusy={calls.running?.operation === draft.operation}
              onSend={actions.send}
            />
          </div>
          <SnippetPanel {...shownCode.snippet} baseUrl={facts.baseUrl} />
        </div>
        <div className="grid min-w-0 gap-4">
          <AnswerPanel
            ref={answer}
            ended={calls.ended}
            running={calls.running}
            requestLink={links.request}
          />
          <StoryCard
            ref={storyPlace}
            story={story.story}
            hasFailed={story.hasFailed}
            isRefused={story.isRefused}
            onRetry={story.refresh}
            messageLink={links.message}
          />
          <VerifyCard
            field={codeField}
            verify={verify}
            isBusy={calls.running?.operation === 'otpVerify'}
            onFocus={() => shownCode.show('verify')}
            onVerify={actions.check}
          />
          <History
            runs={runs.runs}
            onRepeat={({ operation, fields }) => {
              if (operation !== 'otpVerify') draft.onOperation(operation);
              draft.onSet(fields);
            }}
          />
        </div>
        <div className={PHONE_COLUMN}>
          <div ref={device} className="scroll-my-3 @max-3xl/playground:-order-1">
            {actions.hasPhone ? (
              <Phone
                {...phone}
                onClear={phone.clear}
                onCode={takeCode}
                onStory={(messageId) => {
                  story.follow(messageId);
                  storyPlace.current?.scrollIntoView({ block: 'nearest' });
                }}
              />
            ) : (
              <RealPhoneNote />
            )}
          </div>
          {props.backend.switches !== undefined && (
            <SwitchesCard switches={switches.switches} onChange={switches.change} />
          )}
        </div>
      </div>
    </div>
  );
}

function RealPhoneNote() {
  const texts = useTexts().playground;
  return <p className="rounded-card bg-sunken p-4 text-table text-muted">{texts.realPhone}</p>;
}

function usePlaygroundKeys(props: {
  send: () => void;
  takeCode: (message: ReceivedMessage) => void;
  messages: readonly ReceivedMessage[];
  codeField: RefObject<HTMLInputElement | null>;
}): void {
  const texts = useTexts().playground;
  const { showToast } = useToasts();
  useShortcut('Enter', texts.shortcuts.send, props.send);
  useShortcut('c', texts.shortcuts.copy, () => {
    const last = props.messages.findLast(({ code }) => code !== null);
    if (last === undefined) showToast(texts.noCode);
    else props.takeCode(last);
  });
  useShortcut('v', texts.shortcuts.verify, () => {
    props.codeField.current?.focus();
    props.codeField.current?.select();
  });
}

/** On a narrow screen the phone and the answer lie out of sight of the button. */
function useRevealed(props: {
  ended: EndedCall | undefined;
  answer: RefObject<HTMLElement | null>;
  device: RefObject<HTMLElement | null>;
}): void {
  const { ended, answer, device } = props;
  useEffect(() => {
    // Whoever verifies a code looks at that field already.
    if (ended === undefined || ended.path === '/otp/verify') return;
    const { path, outcome } = ended;
    const isSent = outcome.kind === 'answered' && outcome.status < 400;
    const place = isSent && path !== '/links/shorten' ? device : answer;
    place.current?.scrollIntoView({ block: 'nearest' });
  }, [ended, answer, device]);
}
