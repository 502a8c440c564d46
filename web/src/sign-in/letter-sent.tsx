import { Link } from '@tanstack/react-router';
import { useTexts } from '../texts/use-texts.tsx';
import { SignInFrame } from '../ui/identity/sign-in-frame.tsx';

/** Shown for any address: the page must not reveal whether an account exists. */
export function LetterSent({ email }: { email: string }) {
  const texts = useTexts().signIn;
  return (
    <SignInFrame title={texts.letterTitle}>
      <p role="status">{texts.letterSent(email)}</p>
      <p className="text-muted">{texts.letterMissing}</p>
      <p>
        <Link to="/login" className="link">
          {texts.toSignIn}
        </Link>
      </p>
    </SignInFrame>
  );
}
