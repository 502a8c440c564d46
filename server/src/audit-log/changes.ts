/**
 * The fields of `after` that differ, with their old and new values, for the audit log. Undefined
 * when nothing changed.
 */
export function changesBetween<Facts extends object>(
  before: Facts,
  after: Facts,
): { before: Partial<Facts>; after: Partial<Facts> } | undefined {
  const names = (Object.keys(after) as (keyof Facts)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (names.length === 0) return undefined;
  const pick = (facts: Facts) =>
    Object.fromEntries(names.map((name) => [name, facts[name]])) as Partial<Facts>;
  return { before: pick(before), after: pick(after) };
}
