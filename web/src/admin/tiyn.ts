/** The tiyn of an amount in tenge as people write it, `5,50`; undefined when it is none. */
export function readTiyn(text: string): number | undefined {
  const match = /^(\d{1,6})(?:[.,](\d{1,2}))?$/.exec(text.replaceAll(/\s/g, ''));
  if (match === null) return undefined;
  const [, tenge = '0', part = ''] = match;
  return Number(tenge) * 100 + Number(part.padEnd(2, '0'));
}
