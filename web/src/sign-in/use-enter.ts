import { useNavigate, useSearch } from '@tanstack/react-router';
import { safeReturnPath } from '../app/back.ts';
import { CallError } from '../call-error.ts';
import { clearCache } from '../session.ts';

/** After signing in: opens the page that the person originally requested. */
export function useEnter(): () => Promise<void> {
  const navigate = useNavigate();
  const { back } = useSearch({ strict: false }) as { back?: string };
  return async () => {
    await clearCache();
    await navigate({ href: safeReturnPath(back, location.origin), replace: true });
    focusPage();
  };
}

/** The form that had the focus is gone, so the page that it led to takes it, unless a field has. */
function focusPage(): void {
  if (document.activeElement !== document.body) return;
  document.getElementById('content')?.focus({ preventScroll: true });
}

export function needsSecondFactor(error: Error): boolean {
  return error instanceof CallError && error.code === 'second_factor_required';
}
