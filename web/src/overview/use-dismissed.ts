import { useState } from 'react';

const DISMISSED = 'dismissed';

/** Whether something has been dismissed in this browser. */
export function useDismissed(name: string): [isDismissed: boolean, dismiss: () => void] {
  const [isDismissed, setDismissed] = useState(() => read(name) === DISMISSED);
  const dismiss = () => {
    setDismissed(true);
    write(name, DISMISSED);
  };
  return [isDismissed, dismiss];
}

/** Storage may be blocked; then the dismissal lasts until the page is reloaded. */
function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The dismissal lasts until the page is reloaded.
  }
}
