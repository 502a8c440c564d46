import type { RequestRow } from '@zhiber/contract/cabinet/requests.ts';

/** Those above the first row that is shown already. */
export function newCalls(
  latest: readonly RequestRow[],
  shown: readonly RequestRow[],
): RequestRow[] {
  const known = new Set(shown.map(idOf));
  const end = latest.findIndex((row) => known.has(idOf(row)));
  return latest.slice(0, end < 0 ? undefined : end);
}

/** A caller may use one request id for several calls. */
function idOf({ request_id, at }: RequestRow): string {
  return `${request_id} ${at}`;
}
