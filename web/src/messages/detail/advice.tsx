import type { MessageDetail } from '@zhiber/contract/cabinet/messages.ts';
import { Lightbulb } from 'lucide-react';
import { useEffect } from 'react';
import { useCompany } from '../../session.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { useCountdown } from '../../ui/controls/countdown.ts';

/** What to do about an undelivered message, and when the next one can be sent. */
export function Advice({ message }: { message: MessageDetail }) {
  const { advice } = useTexts().messages;
  const format = useFormat();
  const { balance } = useCompany();
  const { state } = message;
  if (state !== 'failed' && state !== 'unconfirmed' && state !== 'unknown') return null;
  return (
    <section className="rounded-card border border-hairline bg-sunken p-4 text-table">
      <h3 className="mb-2 flex items-center gap-2 text-base">
        <Lightbulb aria-hidden="true" size={18} className="text-warn" />
        {advice.title}
      </h3>
      <ol className="ms-4 grid list-decimal gap-1 ps-1">
        {message.kind !== 'group' && <li>{advice.number(format.phone(message.phone))}</li>}
        <li>{message.kind === 'group' ? advice.group : advice.channel}</li>
        <li>{advice.balance(format.money(balance))}</li>
        {message.kind !== 'group' && (
          <li>
            <Resend seconds={message.resend_after} />
          </li>
        )}
      </ol>
    </section>
  );
}

function Resend({ seconds }: { seconds: number }) {
  const { advice } = useTexts().messages;
  const [secondsLeft, start] = useCountdown(seconds);
  useEffect(() => start(seconds), [seconds, start]);
  return secondsLeft > 0 ? advice.resendIn(secondsLeft) : advice.resendNow;
}
