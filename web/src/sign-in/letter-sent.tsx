import { Link } from '@tanstack/react-router';
import { useTexts } from '../texts/use-texts.tsx';
import { SignInFrame } from '../ui/identity/sign-in-frame.tsx';
import { SandboxInbox, useIsSandbox } from './sandbox-inbox.tsx';

/** A letter that was asked for, and the secret of the browser that asked. */
export type Letter = { email: string; requestToken: string };

/** Shown for any address: the page must not reveal whether an account exists. */
export function LetterSent({ letter }: { letter: Letter }) {
  const { email, requestToken } = letter;
  const texts = useTexts().signIn;
  const isSandbox = useIsSandbox();
  return (
    <SignInFrame
      title={texts.letterTitle}
      aside={isSandbox ? <SandboxInbox asked={{ requestToken }} /> : undefined}
    >
      <p role="status">{texts.letterSent(email)}</p>
      <p className="text-muted">{isSandbox ? texts.sandbox.letterHere : texts.letterMissing}</p>
      <p>
        <Link to="/login" search={true} className="link">
          {texts.toSignIn}
        </Link>
      </p>
    </SignInFrame>
  );
}
