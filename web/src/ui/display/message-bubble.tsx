import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import { Mail } from 'lucide-react';
import type { ReactNode } from 'react';
import { ChannelLabel } from './channel.tsx';

/** Only these may become links: an address in a message is somebody else's text. */
const WEB_ADDRESS = /^https?:\/\//i;

/** A message as the phone of its recipient shows it. */
export function MessageBubble(props: {
  /** A channel, or the letters of the sandbox. */
  channel: string;
  recipient: ReactNode;
  text: string;
  link: string | null;
  /** In the line of the channel: its mode, its time. */
  aside?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <li className="rounded-[14px] rounded-bl-[4px] border border-hairline bg-surface px-3 py-2.5 text-table transition duration-200 starting:translate-y-3 starting:opacity-0">
      <p className="flex items-center gap-2">
        <span className="font-semibold">
          <ChannelName channel={props.channel} />
        </span>
        {props.aside}
      </p>
      <p className="text-sm text-faint">{props.recipient}</p>
      <p lang="ru" className="mt-1.5 whitespace-pre-line wrap-anywhere">
        <LinkedText text={props.text} link={props.link} />
      </p>
      {props.children}
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
