import { useState } from 'react';
import { SIGN_IN_QUERIES, useAction } from '../queries.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { useCountdown } from '../ui/controls/countdown.ts';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { CodeField, TextField } from '../ui/controls/text-field.tsx';
import { Refusal } from '../ui/display/refusal.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';

type Sent = { phone: string; resendAfter: number };

/** Two steps: the new number, then the code sent to it. */
export function PhoneDialog({ onClose }: { onClose: () => void }) {
  const texts = useTexts().profile;
  const { showToast } = useToasts();
  const [sent, setSent] = useState<Sent>();
  const finish = () => {
    onClose();
    showToast(texts.phoneChanged);
  };
  return (
    <Dialog title={texts.phoneTitle} onClose={onClose}>
      {sent === undefined ? (
        <NumberStep onSent={setSent} />
      ) : (
        <CodeStep sent={sent} onDone={finish} onOtherPhone={() => setSent(undefined)} />
      )}
    </Dialog>
  );
}

function NumberStep({ onSent }: { onSent: (sent: Sent) => void }) {
  const texts = useTexts().profile;
  const send = useAction('sendNewPhoneCode');
  return (
    <Form
      error={send.error}
      onSubmit={(values) => {
        const phone = values.text('phone');
        send.mutate(
          { body: { phone } },
          { onSuccess: ({ resend_after: resendAfter }) => onSent({ phone, resendAfter }) },
        );
      }}
    >
      <TextField
        name="phone"
        type="tel"
        label={texts.newPhone}
        hint={texts.newPhoneHint}
        placeholder="+7 701 123-45-67"
        autoComplete="tel"
        autoFocus
        required
      />
      <FormActions>
        <Button type="submit" look="primary" isBusy={send.isPending}>
          {texts.sendCode}
        </Button>
      </FormActions>
    </Form>
  );
}

function CodeStep(props: { sent: Sent; onDone: () => void; onOtherPhone: () => void }) {
  const { sent, onDone, onOtherPhone } = props;
  const texts = useTexts().profile;
  const format = useFormat();
  const change = useAction('changePhone', { invalidates: SIGN_IN_QUERIES });
  return (
    <Form
      error={change.error}
      onSubmit={(values) =>
        change.mutate(
          { body: { phone: sent.phone, code: values.text('code') } },
          { onSuccess: onDone },
        )
      }
    >
      <p role="status">
        {texts.codeSentTo(format.phone(sent.phone))}{' '}
        <button type="button" className="link" onClick={onOtherPhone}>
          {texts.otherPhone}
        </button>
      </p>
      <CodeField label={texts.code} autoFocus />
      <FormActions>
        <Button type="submit" look="primary" isBusy={change.isPending}>
          {texts.confirm}
        </Button>
        <Resend sent={sent} />
      </FormActions>
    </Form>
  );
}

function Resend({ sent }: { sent: Sent }) {
  const texts = useTexts().profile;
  const resend = useAction('sendNewPhoneCode');
  const [secondsLeft, startCountdown] = useCountdown(sent.resendAfter);
  if (secondsLeft > 0) return <p className="text-sm text-muted">{texts.resendIn(secondsLeft)}</p>;
  return (
    <>
      <Button
        look="quiet"
        isBusy={resend.isPending}
        onClick={() =>
          resend.mutate(
            { body: { phone: sent.phone } },
            { onSuccess: ({ resend_after: seconds }) => startCountdown(seconds) },
          )
        }
      >
        {texts.resend}
      </Button>
      <Refusal error={resend.error} />
    </>
  );
}
