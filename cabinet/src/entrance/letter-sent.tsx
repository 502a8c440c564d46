import { Link } from '@tanstack/react-router';
import { useTexts } from '../texts/use-texts.tsx';
import { EntranceFrame } from './entrance-frame.tsx';

/** Said whether or not anybody has this address: the page must not tell. */
export function LetterSent({ email }: { email: string }) {
  const texts = useTexts().entrance;
  return (
    <EntranceFrame title={texts.letterTitle}>
      <p role="status">{texts.letterSent(email)}</p>
      <p className="text-muted">{texts.letterMissing}</p>
      <p>
        <Link to="/login" className="link">
          {texts.toSignIn}
        </Link>
      </p>
    </EntranceFrame>
  );
}
