import { useState } from 'react';

const DISMISSED = 'dismissed';

/** Whether this person has put something away, in this browser. */
export function useDismissed(name: string): [isDismissed: boolean, dismiss: () => void] {
  const [isDismissed, setDismissed] = useState(() => read(name) === DISMISSED);
  const dismiss = () => {
    setDismissed(true);
    write(name, DISMISSED);
  };
  return [isDismissed, dismiss];
}

/** A browser may forbid it; then it is put away until the page is opened again. */
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
    // The choice lasts as long as the page.
  }
}
