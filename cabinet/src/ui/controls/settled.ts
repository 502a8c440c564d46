import { useEffect, useState } from 'react';

const SETTLED_MS = 300;

/** What was typed, once nobody has typed for a moment: not every letter is worth a question. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
