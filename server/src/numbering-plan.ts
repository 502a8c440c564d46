/** The mobile operators of Kazakhstan, and the digits after the 7 that were given to each. */
export const OPERATORS = [
  { id: 'kcell', name: 'Kcell / Activ', prefixes: ['7701', '7702', '7775', '7778'] },
  { id: 'beeline', name: 'Beeline', prefixes: ['7705', '7771', '7776', '7777'] },
  { id: 'tele2', name: 'Tele2 / Altel', prefixes: ['7700', '7707', '7708', '7747'] },
] as const;

export type OperatorId = (typeof OPERATORS)[number]['id'];

const PREFIX_DIGITS = 4;
const BY_PREFIX: ReadonlyMap<string, (typeof OPERATORS)[number]> = new Map(
  OPERATORS.flatMap((operator) => operator.prefixes.map((prefix) => [prefix, operator] as const)),
);

/** The operator that first gave out the number; it may have been ported since. */
export function operatorByPrefix(phone: string): OperatorId | undefined {
  return BY_PREFIX.get(phone.slice(0, PREFIX_DIGITS))?.id;
}

/** The name of the operator whose numbers begin so; undefined where only the digits are known. */
export function operatorNameByPrefix(prefix: string): string | undefined {
  return BY_PREFIX.get(prefix)?.name;
}

export function operatorName(wanted: OperatorId): string {
  return OPERATORS.find(({ id }) => id === wanted)?.name ?? wanted;
}

export function isOperatorId(text: string): text is OperatorId {
  return OPERATORS.some(({ id }) => id === text);
}
