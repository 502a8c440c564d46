import { useEffect, useState } from 'react';

const DEBOUNCE_MS = 300;

/** The value after 300 ms without a change, so that not every keystroke causes a request. */
export function useDebounced<Value>(value: Value): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
