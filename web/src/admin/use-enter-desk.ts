import { useNavigate, useSearch } from '@tanstack/react-router';
import { DESK, safeReturnPath } from '../app/back.ts';
import { clearCache } from '../session.ts';

/** After signing in: opens the page of the desk that was originally requested. */
export function useEnterDesk(): () => void {
  const navigate = useNavigate();
  const { back } = useSearch({ strict: false }) as { back?: string };
  return () => {
    const href = safeReturnPath(back, location.origin, DESK);
    void clearCache().then(() => navigate({ href, replace: true }));
  };
}
