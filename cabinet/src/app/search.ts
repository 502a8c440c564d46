/** The search of an address is plain words, `?state=failed,unknown`, and no encoded JSON. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const set = Object.entries(search).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  );
  // A comma needs no encoding here, and reads better.
  const written = new URLSearchParams(set).toString().replaceAll('%2C', ',');
  return written === '' ? '' : `?${written}`;
}
