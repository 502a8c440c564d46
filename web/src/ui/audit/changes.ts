type Fields = Record<string, unknown> | null;
export type Change = { field: string; before: unknown; after: unknown };

/** Each field once, with its old and new value; undefined where that is unknown. */
export function changesOf(before: Fields, after: Fields): Change[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].map((field) => ({
    field,
    before: before?.[field],
    after: after?.[field],
  }));
}
