import { useEffect, useEffectEvent } from 'react';
import { call } from '../call.ts';
import { canOfferPasskeys, endOffer, isPromptOpen, offerPasskeys } from '../passkeys.ts';

/** Before the server forgets the challenge, the browser gets a new one. */
const RENEW_MS = 4 * 60_000;
/** Often enough for a renewal that had to wait. */
const CHECK_MS = 10_000;

/** Offers passkeys among the suggestions of the e-mail field, while it is shown. */
export function usePasskeyOffer(onDone: () => void): void {
  const done = useEffectEvent(onDone);
  useEffect(() => {
    let isOver = false;
    let offeredAt = Number.NEGATIVE_INFINITY;
    const offer = async () => {
      if (!(await canOfferPasskeys()) || isOver) return;
      const { options, request_token } = await call('startPasskeySignIn');
      if (isOver) return;
      const answer = await offerPasskeys(options);
      if (answer === undefined) return;
      await call('signInByPasskey', { body: { answer, request_token } });
      done();
    };
    const renew = () => {
      // Nobody looks at a hidden tab, and challenges are limited. A new offer ends an open prompt.
      if (document.hidden || isPromptOpen()) return;
      if (Date.now() - offeredAt < RENEW_MS) return;
      offeredAt = Date.now();
      // It is a convenience: whoever cannot have it signs in with the button or a password.
      void offer().catch(() => undefined);
    };
    renew();
    const timer = setInterval(renew, CHECK_MS);
    document.addEventListener('visibilitychange', renew);
    return () => {
      isOver = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', renew);
      void endOffer();
    };
  }, []);
}
