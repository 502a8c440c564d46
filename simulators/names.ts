/** The simulators, by the names that the settings of a service give to its providers. */
export const NAMES = [
  'whatsapp-cloud',
  'green-api',
  'telegram-gateway',
  'telegram-bot',
  'smpp',
  'smsc',
  'mobizon',
  'http',
] as const;
export type Name = (typeof NAMES)[number];

/** Behind the first port, whoever else is started; SMPP takes a second one for its control. */
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
};
export const OFFSET_MAX = Math.max(...Object.values(OFFSETS));

/** With 0 as the first port, any free one. */
export function portOf(name: keyof typeof OFFSETS, firstPort: number): number {
  return firstPort === 0 ? 0 : firstPort + OFFSETS[name];
}
