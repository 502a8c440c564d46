import { Signal, Smartphone, Trash2 } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { classes } from '../classes.ts';
import { Button } from '../controls/button.tsx';
import { useToasts } from '../overlays/toasts.tsx';
import { Bubble } from './bubble.tsx';
import { bubbleId, type ReceivedMessage } from './received-message.ts';

const TICK_MS = 10_000;
const BUZZ_MS = 200;

export type PhoneProps = {
  messages: readonly ReceivedMessage[];
  isLost: boolean;
  /** The messages of before are still being told. */
  isReplaying: boolean;
  onCode: (message: ReceivedMessage) => void;
  /** What a press on a code does, where it does more than to copy it. */
  codeWord?: string;
  /** What an empty phone says. */
  emptyHint?: string;
  onStory?: (messageId: string) => void;
  onClear?: () => Promise<void>;
};

/** The virtual phone. On a small screen it stands on top and shows the last message. */
export function Phone(props: PhoneProps) {
  const { messages, isLost } = props;
  const texts = useTexts().playground;
  const [isUnfolded, setUnfolded] = useState(false);
  const device = useRef<HTMLDivElement>(null);
  useBuzz(device, messages.at(-1), props.isReplaying);
  return (
    <section aria-label={texts.device} className="grid gap-1">
      <div
        ref={device}
        className="flex w-full flex-col overflow-hidden rounded-[28px] border-[6px] border-(--bezel) bg-sunken @max-3xl/playground:mx-auto @max-3xl/playground:max-w-md @3xl/playground:h-[clamp(23.75rem,calc(100dvh-26rem),38rem)]"
      >
        <PhoneBar />
        <p
          role="status"
          className="bg-warn-tint px-4 py-1 text-center text-sm text-warn empty:sr-only"
        >
          {isLost && texts.reconnecting}
        </p>
        <Screen {...props} isUnfolded={isUnfolded} />
      </div>
      <div className="flex flex-wrap justify-center gap-2">
        {messages.length > 1 && (
          <Button
            look="quiet"
            className="@3xl/playground:hidden"
            aria-expanded={isUnfolded}
            onClick={() => setUnfolded(!isUnfolded)}
          >
            {texts.showAll}
          </Button>
        )}
        {props.onClear !== undefined && messages.length > 0 && (
          <ClearButton onClear={props.onClear} />
        )}
      </div>
    </section>
  );
}

function ClearButton({ onClear }: { onClear: () => Promise<void> }) {
  const texts = useTexts().playground;
  const { showToast } = useToasts();
  return (
    <Button
      look="quiet"
      className="text-muted"
      icon={<Trash2 aria-hidden="true" size={16} />}
      onClick={() => void onClear().catch(() => showToast(texts.clearFailed))}
    >
      {texts.clear}
    </Button>
  );
}

/** The phone shakes for a message that comes while somebody looks at it. */
function useBuzz(
  device: RefObject<HTMLElement | null>,
  last: ReceivedMessage | undefined,
  isReplaying: boolean,
): void {
  const shown = useRef(last);
  useEffect(() => {
    const isNew = last !== undefined && last !== shown.current && !isReplaying;
    shown.current = last;
    if (!isNew || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    device.current?.animate(
      { transform: ['none', 'translateX(-2px)', 'none', 'translateX(2px)', 'none'] },
      BUZZ_MS,
    );
  }, [device, last, isReplaying]);
}

function PhoneBar() {
  const texts = useTexts();
  const format = useFormat();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className="flex items-center gap-2 px-5 pt-2 pb-1.5 text-sm text-muted">
      <strong className="text-text">{format.clock(now)}</strong>
      {texts.ui.almaty}
      <Signal aria-hidden="true" size={15} className="ms-auto" />
    </p>
  );
}

/** Laid out from its foot, so that the newest message is in view whatever changes size. */
function Screen(props: PhoneProps & { isUnfolded: boolean }) {
  const { messages, isUnfolded, isReplaying, onCode, codeWord, onStory } = props;
  const texts = useTexts().playground;
  return (
    <div
      role="log"
      aria-label={texts.messages}
      // Nobody wants fifty old messages read out.
      aria-busy={isReplaying || undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it with the arrow keys.
      tabIndex={0}
      className="flex min-h-0 grow flex-col-reverse overflow-y-auto rounded-b-[22px] px-3 pt-2 pb-4 -outline-offset-4 @max-3xl/playground:max-h-[60dvh]"
    >
      {messages.length === 0 ? (
        <EmptyScreen hint={props.emptyHint ?? texts.emptyPhoneHint} />
      ) : (
        <ol
          className={classes(
            'mb-auto grid gap-2.5',
            !isUnfolded && '@max-3xl/playground:[&>:not(:last-child)]:hidden',
          )}
        >
          {messages.map((message) => (
            <Bubble
              key={bubbleId(message)}
              message={message}
              onCode={() => onCode(message)}
              codeWord={codeWord}
              onStory={onStory && (() => onStory(message.message_id))}
            />
          ))}
        </ol>
      )}
    </div>
  );
}

function EmptyScreen({ hint }: { hint: string }) {
  const texts = useTexts().playground;
  return (
    <div className="grid grow place-content-center justify-items-center gap-1 p-4 text-center text-table text-muted @max-3xl/playground:py-2">
      <Smartphone
        aria-hidden="true"
        size={30}
        strokeWidth={1.2}
        className="mb-1 @max-3xl/playground:hidden"
      />
      <strong className="font-medium text-text">{texts.emptyPhone}</strong>
      {hint}
    </div>
  );
}
