import { Link } from '@tanstack/react-router';
import { CHANNEL_TITLES } from '@zhiber/contract/api/channel.ts';
import type { MessageDetail } from '@zhiber/contract/cabinet/messages.ts';
import { Lightbulb } from 'lucide-react';
import { useEffect } from 'react';
import { useCompany, useRight, useSession } from '../../session.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { useCountdown } from '../../ui/controls/countdown.ts';
import { toCurl } from './as-request.ts';
import { SendAgain } from './send-again.tsx';

/** What to do about an undelivered message, and when the next one can be sent. */
export function Advice({ message }: { message: MessageDetail }) {
  const { advice } = useTexts().messages;
  const format = useFormat();
  const { balance } = useCompany();
  const { state, kind } = message;
  if (state !== 'failed' && state !== 'unconfirmed' && state !== 'unknown') return null;
  return (
    <section className="grid gap-3 rounded-card border border-hairline bg-sunken p-4 text-table">
      <h3 className="flex items-center gap-2 text-base">
        <Lightbulb aria-hidden="true" size={18} className="text-warn" />
        {advice.title}
      </h3>
      <ol className="ms-4 grid list-decimal gap-1 ps-1">
        {kind !== 'group' && <li>{advice.number(format.phone(message.phone))}</li>}
        <li>
          <OtherWay message={message} />
        </li>
        {balance !== null && <li>{advice.balance(format.money(balance))}</li>}
        {kind === 'otp' && (
          <li>
            <Resend seconds={message.resend_after} />
          </li>
        )}
      </ol>
      {kind === 'link' && <SendAgain message={message} />}
      {kind === 'otp' && <RequestAgain message={message} />}
    </section>
  );
}

/** Only channels that have not failed for this message, and that its key has. */
function OtherWay({ message }: { message: MessageDetail }) {
  const { advice } = useTexts().messages;
  const { kind, broadcast, other_channels: other } = message;
  const canSeeBroadcast = useRight('broadcasts.see');
  if (kind === 'group') return advice.group;
  if (kind !== 'broadcast') {
    const names = other.map(({ channel }) => CHANNEL_TITLES[channel]).join(', ');
    return other.length === 0 ? advice.noChannels : advice.channels(names);
  }
  if (broadcast === null || !canSeeBroadcast) return advice.broadcast;
  return (
    <Link to="/app/broadcasts/$id" params={{ id: broadcast.id }} className="link">
      {advice.broadcast}
    </Link>
  );
}

function Resend({ seconds }: { seconds: number }) {
  const { advice } = useTexts().messages;
  const [secondsLeft, start] = useCountdown(seconds);
  useEffect(() => start(seconds), [seconds, start]);
  return secondsLeft > 0 ? advice.resendIn(secondsLeft) : advice.resendNow;
}

/**
 * A code is requested by the site, which alone knows whether its client still waits and keeps the
 * field for the code open. So there is the request, and no button that sends.
 */
function RequestAgain({ message }: { message: MessageDetail }) {
  const { advice } = useTexts().messages;
  const { base_url: apiUrl } = useSession();
  if (!useRight('playground.use') || message.other_channels.length === 0) return null;
  return (
    <div className="grid gap-2 border-t border-hairline pt-3">
      <p>{advice.codeAgain}</p>
      <div className="flex flex-wrap gap-2">
        {message.other_channels.map(({ channel }) => (
          <CopyButton
            key={channel}
            text={toCurl(message, apiUrl, channel) ?? ''}
            label={advice.curlBy(CHANNEL_TITLES[channel])}
          />
        ))}
      </div>
    </div>
  );
}
