import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';

type Failed = { id: string; code: string; retry: () => unknown };
type Failures = { failed: readonly Failed[]; add: (one: Failed) => () => void };

const FailuresContext = createContext<Failures | undefined>(undefined);

/** Within it, parts that failed for the same reason say so once. */
export function SameFailures({ children }: { children: ReactNode }) {
  const [failed, setFailed] = useState<readonly Failed[]>([]);
  const add = useCallback((one: Failed) => {
    setFailed((before) => [...before, one]);
    return () => setFailed((before) => before.filter(({ id }) => id !== one.id));
  }, []);
  const failures = useMemo(() => ({ failed, add }), [failed, add]);
  return <FailuresContext value={failures}>{children}</FailuresContext>;
}

/** Whether another part of the page has said this already; and a retry of all that failed so. */
export function useSameFailure(
  code: string,
  onRetry: (() => unknown) | undefined,
): { isSaid: boolean; retry: (() => void) | undefined } {
  const id = useId();
  const failures = useContext(FailuresContext);
  const retryThis = useRef(onRetry);
  retryThis.current = onRetry;
  const add = failures?.add;
  // Before the page is painted: the others would be seen for a moment.
  useLayoutEffect(() => add?.({ id, code, retry: () => retryThis.current?.() }), [add, id, code]);
  const same = failures?.failed.filter((one) => one.code === code) ?? [];
  const isSaid = same.some((one) => one.id === id) && same[0]?.id !== id;
  if (onRetry === undefined && same.length < 2) return { isSaid, retry: undefined };
  const all = same.length === 0 ? [{ retry: () => onRetry?.() }] : same;
  return { isSaid, retry: () => all.forEach(({ retry }) => void retry()) };
}
