import { CallError } from '../call.ts';
import { useTexts } from './use-texts.tsx';

/** A failure in the reader's words; a code that has none is told as the server said it, in Russian. */
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
