import { useEffect, useState } from 'react';
import { onRefusal } from '../call.ts';
import { useAction } from '../queries.ts';
import { useSession } from '../session.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { useCountdown } from '../ui/controls/countdown.ts';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { CodeField, TextField } from '../ui/controls/text-field.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';

/**
 * Opens when a call is refused because the sign-in is long ago, and lets the call go on once the
 * person has proved who they are.
 */
export function IdentityDialog() {
  const [answer, setAnswer] = useState<(isProved: boolean) => void>();
  useEffect(() => {
    onRefusal.staleSignIn = () => new Promise((resolve) => setAnswer(() => resolve));
    return () => {
      onRefusal.staleSignIn = async () => false;
    };
  }, []);
  const texts = useTexts().layout.identity;
  if (answer === undefined) return null;
  const end = (isProved: boolean) => {
    answer(isProved);
    setAnswer(undefined);
  };
  return (
    <Dialog title={texts.title} onClose={() => end(false)}>
      <IdentityForm onProved={() => end(true)} />
    </Dialog>
  );
}

function IdentityForm({ onProved }: { onProved: () => void }) {
  const texts = useTexts().layout.identity;
  const { person } = useSession();
  const [way, setWay] = useState<'password' | 'code'>(person.has_password ? 'password' : 'code');
  const confirm = useAction('confirmIdentity');
  const canChange = person.has_password && person.phone !== null;
  return (
    <Form
      error={confirm.error}
      onSubmit={(values) =>
        confirm.mutate({ body: { [way]: values.text(way) } }, { onSuccess: onProved })
      }
    >
      <p className="text-muted">{texts.lead}</p>
      {way === 'password' ? (
        <TextField
          name="password"
          type="password"
          label={texts.password}
          autoComplete="current-password"
          autoFocus
          required
        />
      ) : (
        <CodeByPhone />
      )}
      <FormActions>
        <Button type="submit" look="primary" isBusy={confirm.isPending}>
          {texts.confirm}
        </Button>
        {canChange && (
          <Button look="quiet" onClick={() => setWay(way === 'code' ? 'password' : 'code')}>
            {way === 'code' ? texts.usePassword : texts.useCode}
          </Button>
        )}
      </FormActions>
    </Form>
  );
}

function CodeByPhone() {
  const texts = useTexts().layout.identity;
  const format = useFormat();
  const { person } = useSession();
  const send = useAction('sendIdentityCode');
  const [left, wait] = useCountdown();
  const press = () => send.mutate({}, { onSuccess: (sent) => wait(sent.resend_after) });
  return (
    <>
      <div className="grid justify-items-start gap-2">
        <Button isBusy={send.isPending} disabled={left > 0} onClick={press}>
          {texts.sendCode}
        </Button>
        <p role="status" className="text-sm text-muted">
          {send.isSuccess && texts.codeSent(format.phone(person.phone ?? ''))}{' '}
          {left > 0 && <span aria-hidden="true">{texts.resendIn(left)}</span>}
        </p>
      </div>
      <CodeField label={texts.code} />
    </>
  );
}
