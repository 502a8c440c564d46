import { useState } from 'react';
import { useAction } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { useCountdown } from '../ui/controls/countdown.ts';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { CodeField, TextField } from '../ui/controls/text-field.tsx';
import { Refusal } from '../ui/display/refusal.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';
import { needsSecondFactor } from './use-enter.ts';

type Sent = { phone: string; requestToken: string; resendAfter: number };

/** Two steps: the phone, then the code sent to it. */
export function PhoneForm(props: { onDone: () => void; onSecondFactor: () => void }) {
  const [sent, setSent] = useState<Sent>();
  if (sent === undefined) return <NumberStep onSent={setSent} />;
  return <CodeStep {...props} sent={sent} onOtherPhone={() => setSent(undefined)} />;
}

function NumberStep({ onSent }: { onSent: (sent: Sent) => void }) {
  const texts = useTexts().signIn;
  const send = useAction('sendPhoneCode');
  return (
    <Form
      error={send.error}
      onSubmit={(values) => {
        const phone = values.text('phone');
        send.mutate(
          { body: { phone } },
          {
            onSuccess: ({ request_token, resend_after }) =>
              onSent({ phone, requestToken: request_token, resendAfter: resend_after }),
          },
        );
      }}
    >
      <TextField
        name="phone"
        type="tel"
        label={texts.phone}
        hint={texts.phoneHint}
        placeholder="+7 701 123-45-67"
        autoComplete="tel"
        required
      />
      <FormActions>
        <Button type="submit" look="primary" className="w-full" isBusy={send.isPending}>
          {send.isPending ? texts.sending : texts.sendCode}
        </Button>
      </FormActions>
    </Form>
  );
}

function CodeStep(props: {
  sent: Sent;
  onDone: () => void;
  onSecondFactor: () => void;
  onOtherPhone: () => void;
}) {
  const { sent, onDone, onSecondFactor, onOtherPhone } = props;
  const texts = useTexts().signIn;
  const signIn = useAction('signInByPhone');
  return (
    <Form
      error={signIn.error !== null && needsSecondFactor(signIn.error) ? null : signIn.error}
      onSubmit={(values) =>
        signIn.mutate(
          {
            body: {
              phone: sent.phone,
              code: values.text('code'),
              request_token: sent.requestToken,
            },
          },
          { onSuccess: onDone, onError: (error) => needsSecondFactor(error) && onSecondFactor() },
        )
      }
    >
      <p role="status">
        {texts.codeSentTo(sent.phone)}{' '}
        <button type="button" className="link" onClick={onOtherPhone}>
          {texts.otherPhone}
        </button>
      </p>
      <CodeField label={texts.code} autoFocus />
      <FormActions>
        <Button type="submit" look="primary" className="w-full" isBusy={signIn.isPending}>
          {texts.enter}
        </Button>
      </FormActions>
      <Resend sent={sent} />
    </Form>
  );
}

/** Resends the code through the same route, or by SMS in case the messenger does not deliver. */
function Resend({ sent }: { sent: Sent }) {
  const texts = useTexts().signIn;
  const { announce } = useToasts();
  const resend = useAction('sendPhoneCode');
  const [secondsLeft, startCountdown] = useCountdown(sent.resendAfter);
  const send = (channel: 'auto' | 'sms') =>
    resend.mutate(
      { body: { phone: sent.phone, channel, request_token: sent.requestToken } },
      {
        onSuccess: ({ resend_after }) => {
          startCountdown(resend_after);
          announce(texts.codeIsAgain);
        },
      },
    );
  if (secondsLeft > 0) return <p className="text-sm text-muted">{texts.resendIn(secondsLeft)}</p>;
  return (
    <div className="flex flex-wrap gap-2">
      <Button look="quiet" isBusy={resend.isPending} onClick={() => send('auto')}>
        {texts.resend}
      </Button>
      <Button look="quiet" disabled={resend.isPending} onClick={() => send('sms')}>
        {texts.resendBySms}
      </Button>
      <Refusal error={resend.error} />
    </div>
  );
}
