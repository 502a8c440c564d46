import { CallError } from '../call-error.ts';
import { useTexts } from './use-texts.tsx';

/** An error in the reader's language; a code without a translation shows the server's Russian message. */
export function ErrorText({ error }: { error: Error }) {
  const { errors } = useTexts();
  if (!(error instanceof CallError)) return errors.codes.internal_error;
  const known: Record<string, string> = errors.codes;
  const sentence = known[error.code];
  return (
    <>
      {sentence ?? <span lang="ru">{error.message}.</span>}
      {error.retryAfter !== undefined && ` ${errors.retryIn(error.retryAfter)}`}
      {error.attemptsLeft !== undefined && ` ${errors.attemptsLeft(error.attemptsLeft)}`}
    </>
  );
}
