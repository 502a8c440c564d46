import { Copy } from 'lucide-react';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { MessageBubble } from '../display/message-bubble.tsx';
import type { ReceivedMessage } from './received-message.ts';

/** One message on the phone. A press on its code copies it and makes it ready to be verified. */
export function Bubble(props: {
  message: ReceivedMessage;
  onCode: () => void;
  /** What a press on the code does, where it does more than to copy it. */
  codeWord?: string | undefined;
  /** Absent where a message has no story to show. */
  onStory?: (() => void) | undefined;
}) {
  const { message, onCode, codeWord, onStory } = props;
  const texts = useTexts();
  const format = useFormat();
  // No key sends a letter: it has no mode and no story.
  const isLetter = message.kind === 'letter';
  return (
    <MessageBubble
      channel={message.channel}
      recipient={
        message.kind === 'group' ? message.phone : texts.playground.to(format.phone(message.phone))
      }
      text={message.text}
      link={message.link}
      aside={
        <>
          {message.mode !== undefined && !isLetter && (
            <span className="rounded-control bg-sunken px-1.5 text-xs text-muted">
              {texts.ui.modes[message.mode]}
            </span>
          )}
          {message.kind === 'broadcast' && (
            <span className="rounded-control bg-sunken px-1.5 text-xs text-muted">
              {texts.playground.broadcast}
            </span>
          )}
          <time dateTime={message.at} className="ms-auto text-sm text-faint">
            {format.clockSeconds(message.at)}
          </time>
        </>
      }
    >
      {message.code !== null && <CodeButton code={message.code} word={codeWord} onPress={onCode} />}
      {!isLetter && onStory !== undefined && (
        <button type="button" className="link mt-1.5 min-h-6 text-sm" onClick={onStory}>
          {texts.playground.story}
        </button>
      )}
    </MessageBubble>
  );
}

function CodeButton(props: { code: string; word: string | undefined; onPress: () => void }) {
  const { code, word, onPress } = props;
  const texts = useTexts().playground;
  return (
    <button
      type="button"
      className="mt-2 flex min-h-11 w-full items-center justify-center gap-3 rounded-control border border-border bg-sunken px-3 text-xl font-semibold tracking-[0.16em] hover:border-brand hover:text-brand"
      onClick={onPress}
    >
      {word === undefined ? (
        <span className="sr-only">{texts.copyThisCode} </span>
      ) : (
        <span className="text-table font-medium tracking-normal">{word} </span>
      )}
      {code}
      {word === undefined && <Copy aria-hidden="true" size={18} />}
    </button>
  );
}
