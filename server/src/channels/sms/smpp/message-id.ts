/**
 * Some message centres write the id of a message differently in the response and in the receipt.
 * `normalId` maps both to the same text. Letter case and leading zeros stay: they may be all that
 * tells two ids apart, and a receipt that finds no message is looked up without them.
 */
export const ID_FORMS = ['same', 'hex_in_response', 'hex_in_receipt'] as const;
export type IdForm = (typeof ID_FORMS)[number];
type Source = 'response' | 'receipt';

const HEX = /^(?:0x)?([0-9a-f]{1,64})$/i;
const DECIMAL = /^[0-9]{1,64}$/;

export function normalId(id: string, source: Source, form: IdForm): string {
  if (form === 'same') return id.trim();
  const isHex = form === `hex_in_${source}`;
  const digits = isHex ? HEX.exec(id)?.[1] : DECIMAL.exec(id)?.[0];
  return digits === undefined ? id.trim() : BigInt(isHex ? `0x${digits}` : digits).toString();
}
