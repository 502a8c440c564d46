import type { PhoneMessage } from '@zhiber/contract/cabinet/playground.ts';
import { Signal, Smartphone, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useAction } from '../../queries.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { classes } from '../../ui/classes.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Bubble } from './bubble.tsx';

/** As many as the stream begins with, so that a reload shows the same phone. */
const BUBBLES_MAX = 50;
const TICK_MS = 10_000;

export type PhoneActions = {
  onCode: (message: PhoneMessage) => void;
  onStory: (messageId: string) => void;
};

/** The virtual phone. On a small screen it stands on top and shows the last message. */
export function Phone(
  props: PhoneActions & { keyId: number; messages: readonly PhoneMessage[]; isLost: boolean },
) {
  const { keyId, isLost, ...actions } = props;
  const texts = useTexts().playground;
  const [isUnfolded, setUnfolded] = useState(false);
  const clear = useAction('clearPhone', { outdates: ['phoneMessages'] });
  const messages = props.messages.slice(-BUBBLES_MAX);
  return (
    <section aria-label={texts.device} className="grid gap-2">
      <div className="flex flex-col overflow-hidden rounded-[28px] border-[6px] border-(--bezel) bg-sunken lg:h-[min(40rem,calc(100dvh-9rem))]">
        <PhoneBar />
        {isLost && (
          <p role="status" className="bg-warn-tint px-4 py-1 text-center text-sm text-warn">
            {texts.reconnecting}
          </p>
        )}
        <Screen {...actions} messages={messages} isUnfolded={isUnfolded} />
      </div>
      <div className="flex flex-wrap justify-center gap-2">
        {messages.length > 1 && (
          <Button
            look="quiet"
            className="lg:hidden"
            aria-expanded={isUnfolded}
            onClick={() => setUnfolded(!isUnfolded)}
          >
            {texts.showAll}
          </Button>
        )}
        {messages.length > 0 && (
          <Button
            look="quiet"
            isBusy={clear.isPending}
            icon={<Trash2 aria-hidden="true" size={16} />}
            onClick={() => clear.mutate({ query: { key_id: keyId } })}
          >
            {texts.clear}
          </Button>
        )}
      </div>
    </section>
  );
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
function Screen(props: PhoneActions & { messages: readonly PhoneMessage[]; isUnfolded: boolean }) {
  const { messages, isUnfolded, onCode, onStory } = props;
  const texts = useTexts().playground;
  return (
    <div
      role="log"
      aria-label={texts.messages}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by the arrows.
      tabIndex={0}
      className="flex min-h-0 grow flex-col-reverse overflow-y-auto px-3 pt-2 pb-4 -outline-offset-4 max-lg:max-h-[60dvh]"
    >
      {messages.length === 0 ? (
        <div className="grid grow place-content-center justify-items-center gap-1 p-4 text-center text-table text-muted max-lg:py-2">
          <Smartphone
            aria-hidden="true"
            size={30}
            strokeWidth={1.2}
            className="mb-1 max-lg:hidden"
          />
          <strong className="font-medium text-text">{texts.emptyPhone}</strong>
          {texts.emptyPhoneHint}
        </div>
      ) : (
        <ol
          className={classes(
            'mb-auto grid gap-2.5',
            !isUnfolded && 'max-lg:[&>:not(:last-child)]:hidden',
          )}
        >
          {messages.map((message) => (
            <Bubble
              key={`${message.message_id} ${message.channel}`}
              message={message}
              onCode={() => onCode(message)}
              onStory={() => onStory(message.message_id)}
            />
          ))}
        </ol>
      )}
    </div>
  );
}
