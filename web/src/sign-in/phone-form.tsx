import { type RefObject, useRef, useState } from 'react';
import { useAction } from '../queries.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { useCountdown } from '../ui/controls/countdown.ts';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { CodeField, TextField } from '../ui/controls/text-field.tsx';
import { Refusal } from '../ui/display/refusal.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';
import { SandboxInbox } from './sandbox-inbox.tsx';
import { needsSecondFactor } from './use-enter.ts';

type Sent = { phone: string; requestToken: string; resendAfter: number };

type CodeEntry = {
  /** Undefined until a code was sent. */
  sent: Sent | undefined;
  code: string;
  field: RefObject<HTMLInputElement | null>;
  onSent: (sent: Sent | undefined) => void;
  onCode: (code: string) => void;
};

/** The code of a sign-in by phone, which can be typed, or taken from the phone of the sandbox. */
export function useCodeEntry(): CodeEntry {
  const [sent, setSent] = useState<Sent>();
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  return {
    sent,
    code,
    field,
    onSent: (next) => {
      setSent(next);
      setCode('');
    },
    onCode: setCode,
  };
}

/** The virtual phone beside the form. One press puts the code into its field. */
export function SandboxPhone({ entry }: { entry: CodeEntry }) {
  const fillIn = (code: string) => {
    entry.onCode(code);
    entry.field.current?.focus();
  };
  return <SandboxInbox asked={entry.sent} onCode={fillIn} />;
}

/** Two steps: the phone, then the code sent to it. */
export function PhoneForm(props: {
  entry: CodeEntry;
  hint: string;
  onDone: () => void;
  onSecondFactor: () => void;
}) {
  const { entry, hint, ...steps } = props;
  if (entry.sent === undefined) return <NumberStep hint={hint} onSent={entry.onSent} />;
  return <CodeStep {...steps} entry={entry} sent={entry.sent} />;
}

function NumberStep({ hint, onSent }: { hint: string; onSent: (sent: Sent) => void }) {
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
        hint={hint}
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
  entry: CodeEntry;
  sent: Sent;
  onDone: () => void;
  onSecondFactor: () => void;
}) {
  const { entry, sent, onDone, onSecondFactor } = props;
  const texts = useTexts().signIn;
  const format = useFormat();
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
        {texts.codeSentTo(format.phone(sent.phone))}{' '}
        <button type="button" className="link" onClick={() => entry.onSent(undefined)}>
          {texts.otherPhone}
        </button>
      </p>
      <CodeField
        ref={entry.field}
        label={texts.code}
        value={entry.code}
        onChange={(event) => entry.onCode(event.currentTarget.value)}
        autoFocus
      />
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
