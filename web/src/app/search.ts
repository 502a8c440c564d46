/** The query string is plain text, `?state=failed,unknown`, not JSON as the router's default. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const set = Object.entries(search).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  );
  // A comma needs no encoding in a query string and is easier to read.
  const encoded = new URLSearchParams(set).toString().replaceAll('%2C', ',');
  return encoded === '' ? '' : `?${encoded}`;
}
