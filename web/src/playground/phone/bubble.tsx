import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import { Copy, Mail } from 'lucide-react';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { ChannelLabel } from '../../ui/display/channel.tsx';
import type { ReceivedMessage } from '../backend.ts';

/** Only these may become links: an address in a message is somebody else's text. */
const WEB_ADDRESS = /^https?:\/\//i;

/** One message on the phone. A press on its code copies it and makes it ready to be verified. */
export function Bubble(props: {
  message: ReceivedMessage;
  onCode: () => void;
  onStory: () => void;
}) {
  const { message, onCode, onStory } = props;
  const texts = useTexts();
  const format = useFormat();
  // No key sends a letter: it has no mode and no story.
  const isLetter = message.kind === 'letter';
  return (
    <li className="rounded-[14px] rounded-bl-[4px] border border-hairline bg-surface px-3 py-2.5 text-table transition duration-200 starting:translate-y-3 starting:opacity-0">
      <p className="flex items-center gap-2">
        <span className="font-semibold">
          <ChannelName channel={message.channel} />
        </span>
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
      </p>
      <p className="text-sm text-faint">
        {message.kind === 'group'
          ? message.phone
          : texts.playground.to(format.phone(message.phone))}
      </p>
      <p lang="ru" className="mt-1.5 whitespace-pre-line wrap-anywhere">
        <LinkedText text={message.text} link={message.link} />
      </p>
      {message.code !== null && <CodeButton code={message.code} onPress={onCode} />}
      {!isLetter && (
        <button type="button" className="link mt-1.5 min-h-6 text-sm" onClick={onStory}>
          {texts.playground.story}
        </button>
      )}
    </li>
  );
}

function ChannelName({ channel }: { channel: string }) {
  const known = CHANNELS.find((one) => one === channel);
  if (known !== undefined) return <ChannelLabel channel={known} />;
  return (
    <span className="inline-flex items-center gap-1.5 align-middle">
      <Mail aria-hidden="true" size={15} className="text-muted" />
      E-mail
    </span>
  );
}

function CodeButton({ code, onPress }: { code: string; onPress: () => void }) {
  const texts = useTexts().playground;
  return (
    <button
      type="button"
      className="mt-2 flex min-h-11 w-full items-center justify-center gap-3 rounded-control border border-border bg-sunken px-3 text-xl font-semibold tracking-[0.16em] hover:border-brand hover:text-brand"
      onClick={onPress}
    >
      <span className="sr-only">{texts.copyThisCode} </span>
      {code}
      <Copy aria-hidden="true" size={18} />
    </button>
  );
}

/** The text of the message with its short link as a link. */
function LinkedText({ text, link }: { text: string; link: string | null }) {
  if (link === null || !WEB_ADDRESS.test(link)) return text;
  const at = text.indexOf(link);
  const anchor = (
    <a href={link} target="_blank" rel="noopener noreferrer" className="link">
      {link}
    </a>
  );
  if (at === -1) {
    return (
      <>
        {text} {anchor}
      </>
    );
  }
  return (
    <>
      {text.slice(0, at)}
      {anchor}
      {text.slice(at + link.length)}
    </>
  );
}
