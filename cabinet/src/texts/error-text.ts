import { CallError } from '../call.ts';
import { useTexts } from './use-texts.tsx';

/** A failure in the reader's words. A code that has none is told as the server said it. */
export function useErrorText(error: Error): string {
  const { errors } = useTexts();
  if (!(error instanceof CallError)) return errors.codes.internal_error;
  const known: Record<string, string> = errors.codes;
  const sentence = known[error.code] ?? error.message;
  const wait = error.retryAfter === undefined ? '' : ` ${errors.retryIn(error.retryAfter)}`;
  const left =
    error.attemptsLeft === undefined ? '' : ` ${errors.attemptsLeft(error.attemptsLeft)}`;
  return sentence + wait + left;
}
