/** The simulators, named like the providers in the settings. */
export const NAMES = [
  'whatsapp-cloud',
  'green-api',
  'telegram-gateway',
  'telegram-bot',
  'smpp',
  'smsc',
  'mobizon',
  'http',
  'kaspi',
  'freedom-pay',
  'webkassa',
] as const;
export type Name = (typeof NAMES)[number];

/** Offsets from the first port, the same whichever are started; SMPP has a control port too. */
const OFFSETS: Record<Name | 'smpp control', number> = {
  'whatsapp-cloud': 0,
  'green-api': 1,
  'telegram-gateway': 2,
  'telegram-bot': 3,
  smpp: 4,
  'smpp control': 5,
  smsc: 6,
  mobizon: 7,
  http: 8,
  kaspi: 10,
  'freedom-pay': 9,
  webkassa: 11,
};
export const OFFSET_MAX = Math.max(...Object.values(OFFSETS));

/** 0, which means any free port, when the first port is 0. */
export function portOf(name: keyof typeof OFFSETS, firstPort: number): number {
  return firstPort === 0 ? 0 : firstPort + OFFSETS[name];
}
