import { useNavigate, useSearch } from '@tanstack/react-router';
import { CallError } from '../call.ts';
import { forgetEverything } from '../session.ts';
import { placeAfterSignIn } from './back.ts';

/** Goes into the cabinet, to where the person was on their way to. */
export function useEnter(): () => Promise<void> {
  const navigate = useNavigate();
  const { back } = useSearch({ strict: false }) as { back?: string };
  return async () => {
    await forgetEverything();
    await navigate({ href: placeAfterSignIn(back, location.origin), replace: true });
  };
}

export function needsSecondFactor(error: Error): boolean {
  return error instanceof CallError && error.code === 'second_factor_required';
}
