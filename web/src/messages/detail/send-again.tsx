import { Link } from '@tanstack/react-router';
import { CHANNEL_TITLES } from '@zhiber/contract/api/channel.ts';
import { shortMessageId } from '@zhiber/contract/cabinet/message-id.ts';
import type { MessageDetail } from '@zhiber/contract/cabinet/messages.ts';
import { useState } from 'react';
import type { Answer } from '../../call.ts';
import { useAction } from '../../queries.ts';
import { useRight } from '../../session.ts';
import { ErrorText } from '../../texts/error-text.tsx';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useCountdown } from '../../ui/controls/countdown.ts';
import { ActDialog } from '../../ui/overlays/act-dialog.tsx';

type Resent = Answer<'resendMessage'>;
type Other = MessageDetail['other_channels'][number];

/** Sends the text of a link message again by another channel. A live key asks first, with the price. */
export function SendAgain({ message }: { message: MessageDetail }) {
  const { advice } = useTexts().messages;
  const format = useFormat();
  const resend = useAction('resendMessage', { invalidates: ['messages', 'message', 'session'] });
  const [secondsLeft, waitFor] = useCountdown(message.resend_after);
  const [asked, ask] = useState<Other>();
  const canSend = useRight('playground.use');
  if (!canSend || message.other_channels.length === 0) return null;
  const send = ({ channel }: Other) => {
    ask(undefined);
    const onSuccess = ({ body }: { body: Record<string, unknown> }) => {
      const { retry_after: seconds } = body;
      if (typeof seconds === 'number') waitFor(seconds);
    };
    resend.mutate({ params: { id: message.id }, body: { channel } }, { onSuccess });
  };
  return (
    <div className="grid gap-2 border-t border-hairline pt-3">
      <p>{secondsLeft > 0 ? advice.resendIn(secondsLeft) : advice.again}</p>
      <div className="flex flex-wrap gap-2">
        {message.other_channels.map((other) => (
          <Button
            key={other.channel}
            isBusy={resend.isPending}
            disabled={secondsLeft > 0}
            onClick={() => (message.mode === 'live' ? ask(other) : send(other))}
          >
            {advice.sendBy(CHANNEL_TITLES[other.channel])} · {format.money(other.price)}
          </Button>
        ))}
      </div>
      <Outcome resend={resend} />
      {asked !== undefined && (
        <ActDialog
          title={advice.askLive(CHANNEL_TITLES[asked.channel])}
          action={advice.send}
          state={resend}
          onSubmit={() => send(asked)}
          onClose={() => ask(undefined)}
        >
          <p className="text-table">{advice.liveLead(format.money(asked.price))}</p>
        </ActDialog>
      )}
    </div>
  );
}

/** A refusal of the API is an answer like any other; its message is in Russian. */
function Outcome({ resend }: { resend: { data: Resent | undefined; error: Error | null } }) {
  const texts = useTexts().messages.advice;
  const { data, error } = resend;
  if (error !== null) {
    return (
      <p role="alert" className="text-bad">
        <ErrorText error={error} />
      </p>
    );
  }
  if (data === undefined) return null;
  const { message_id: id, channel, message: said } = data.body;
  if (data.status >= 400 || typeof id !== 'string') {
    return (
      <p role="alert" lang="ru" className="text-bad">
        {String(said)}
      </p>
    );
  }
  return (
    <p role="status" className="text-ok">
      {texts.sentBy(CHANNEL_TITLES[channel as Other['channel']])}.{' '}
      <Link to="/app/messages/$id" params={{ id: shortMessageId(id) }} search className="link">
        {texts.openSent}
      </Link>
    </p>
  );
}
