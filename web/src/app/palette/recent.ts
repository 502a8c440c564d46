const STORED_AS = 'palette-recent';
const KEPT = 5;

/** The ids of the commands used last in this browser, newest first. */
export function readRecent(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED_AS) ?? '[]');
    return Array.isArray(stored) ? stored.map(String).slice(0, KEPT) : [];
  } catch {
    // Storage may be switched off, and its content may be anything.
    return [];
  }
}

export function rememberRecent(id: string): void {
  try {
    const others = readRecent().filter((known) => known !== id);
    localStorage.setItem(STORED_AS, JSON.stringify([id, ...others].slice(0, KEPT)));
  } catch {
    // Only a convenience is lost.
  }
}
