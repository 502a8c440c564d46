/** Series colours are design tokens, so that they follow the theme. */
const TOKENS = {
  whatsapp: '--chart-whatsapp',
  telegram: '--chart-telegram',
  sms: '--chart-sms',
  brand: '--brand',
  ok: '--ok',
  warn: '--warn',
  bad: '--bad',
  calm: '--border',
} as const;

export type ChartColour = keyof typeof TOKENS;

export function cssColour(colour: ChartColour): string {
  return `var(${TOKENS[colour]})`;
}

/** A canvas cannot use CSS variables, so their values are read here. */
export function readColour(token: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(token).trim();
}

export function readSeriesColour(colour: ChartColour): string {
  return readColour(TOKENS[colour]);
}
