import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import type { PhoneMessage } from '@zhiber/contract/cabinet/playground.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { ChannelLabel } from '../../ui/display/channel.tsx';

/** Only these may become links: an address in a message is somebody else's text. */
const WEB_ADDRESS = /^https?:\/\//i;

/** One message on the phone. Its code goes into the field for verifying, or to the clipboard. */
export function Bubble(props: { message: PhoneMessage; onCode: () => void; onStory: () => void }) {
  const { message, onCode, onStory } = props;
  const texts = useTexts().playground;
  const format = useFormat();
  const channel = CHANNELS.find((known) => known === message.channel);
  return (
    <li className="appear rounded-[14px] rounded-bl-[4px] border border-hairline bg-surface px-3 py-2.5 text-table">
      <p className="flex items-center gap-2">
        <span className="font-medium">
          {channel === undefined ? message.channel : <ChannelLabel channel={channel} />}
        </span>
        <time dateTime={message.at} className="ms-auto text-sm text-faint">
          {format.clockSeconds(message.at)}
        </time>
      </p>
      <p className="text-sm text-faint">
        {message.kind === 'group' ? message.phone : texts.to(format.phone(message.phone))}
      </p>
      <p lang="ru" className="mt-1.5 whitespace-pre-line wrap-anywhere">
        <LinkedText text={message.text} link={message.link} />
      </p>
      {message.code !== null && <CodeRow code={message.code} onCode={onCode} />}
      <button type="button" className="link mt-1.5 min-h-6 text-sm" onClick={onStory}>
        {texts.story}
      </button>
    </li>
  );
}

function CodeRow({ code, onCode }: { code: string; onCode: () => void }) {
  const texts = useTexts().playground;
  return (
    <div className="mt-2 flex items-center gap-1">
      <button
        type="button"
        title={texts.fillCode}
        aria-label={`${texts.fillCode}: ${code}`}
        className="min-h-11 grow rounded-control border border-border bg-sunken px-3 text-xl font-semibold tracking-[0.16em] hover:border-brand hover:text-brand"
        onClick={onCode}
      >
        {code}
      </button>
      <CopyButton isIcon text={code} label={texts.copyThisCode} />
    </div>
  );
}

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
