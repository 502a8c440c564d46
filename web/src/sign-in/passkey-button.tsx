import { useMutation } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { call } from '../call.ts';
import { askForPasskey, canOfferPasskeys, endOffer, offerPasskeys } from '../passkeys.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';

/** Signs in with a passkey alone. */
export function PasskeyButton({ onDone }: { onDone: () => void }) {
  const texts = useTexts().signIn;
  const signIn = useMutation({
    mutationFn: async () => {
      const { options, request_token } = await call('startPasskeySignIn');
      const answer = await askForPasskey(options);
      await call('signInByPasskey', { body: { answer, request_token } });
    },
    onSuccess: onDone,
  });
  return (
    <div className="grid gap-2">
      <Button
        icon={<Fingerprint aria-hidden="true" size={18} />}
        isBusy={signIn.isPending}
        onClick={() => signIn.mutate()}
      >
        {texts.passkey}
      </Button>
      {signIn.error !== null && <ErrorCard error={signIn.error} />}
    </div>
  );
}

/** The second step with a passkey. */
export function SecondPasskeyButton({ onDone }: { onDone: () => void }) {
  const texts = useTexts().signIn;
  const signIn = useMutation({
    mutationFn: async () => {
      const { options } = await call('startPasskeySecondStep');
      const answer = await askForPasskey(options);
      await call('signInSecondByPasskey', { body: { answer } });
    },
    onSuccess: onDone,
  });
  return (
    <div className="grid gap-2">
      <Button
        look="primary"
        icon={<Fingerprint aria-hidden="true" size={18} />}
        isBusy={signIn.isPending}
        onClick={() => signIn.mutate()}
      >
        {texts.secondByPasskey}
      </Button>
      {signIn.error !== null && <ErrorCard error={signIn.error} />}
    </div>
  );
}

/** Before the server forgets the challenge, the browser gets a new one. */
const RENEW_MS = 4 * 60_000;

/** Offers passkeys among the suggestions of the e-mail field, while it is shown. */
export function usePasskeyOffer(onDone: () => void): void {
  const done = useEffectEvent(onDone);
  useEffect(() => {
    let isOver = false;
    const offer = async () => {
      if (isOver || !(await canOfferPasskeys())) return;
      const { options, request_token } = await call('startPasskeySignIn');
      if (isOver) return;
      const answer = await offerPasskeys(options);
      if (answer === undefined) return;
      await call('signInByPasskey', { body: { answer, request_token } });
      done();
    };
    // It is a convenience: whoever cannot have it signs in with the button or a password.
    const tryOffer = () => void offer().catch(() => undefined);
    tryOffer();
    const timer = setInterval(tryOffer, RENEW_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
      void endOffer();
    };
  }, []);
}
