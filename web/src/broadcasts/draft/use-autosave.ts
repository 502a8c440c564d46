import { useEffect, useRef } from 'react';

/** A pause in typing after which it is saved. */
const PAUSE_MS = 600;

/**
 * Saves what is typed after a pause in typing, unless it is not whole yet, and at the latest when the
 * step is left. Returns a function that saves at once.
 */
export function useAutosave(
  value: string,
  save: (value: string) => Promise<boolean>,
  isWhole: (value: string) => boolean = () => true,
): () => void {
  const saved = useRef(value);
  const latest = useRef({ value, save });
  useEffect(() => {
    latest.current = { value, save };
  });
  const flush = useRef(() => {
    const before = saved.current;
    const { value: typed, save: saveTyped } = latest.current;
    if (typed === before) return;
    saved.current = typed;
    void saveTyped(typed).then((isSaved) => {
      // A refused value is tried again with the next change.
      if (!isSaved && saved.current === typed) saved.current = before;
    });
  }).current;
  useEffect(() => {
    if (!isWhole(value)) return;
    const timer = setTimeout(flush, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value, isWhole, flush]);
  useEffect(() => flush, [flush]);
  return flush;
}
