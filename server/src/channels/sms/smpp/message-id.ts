/**
 * Some message centres write the id of a message differently in the response and in the receipt.
 * `normalId` maps both to the same text.
 */
export const ID_FORMS = ['same', 'hex_in_response', 'hex_in_receipt'] as const;
export type IdForm = (typeof ID_FORMS)[number];
type Source = 'response' | 'receipt';

const HEX = /^(?:0x)?([0-9a-f]{1,64})$/i;
const DECIMAL = /^[0-9]{1,64}$/;

export function normalId(id: string, source: Source, form: IdForm): string {
  if (form === 'same') return plainId(id);
  const isHex = form === `hex_in_${source}`;
  const digits = isHex ? HEX.exec(id)?.[1] : DECIMAL.exec(id)?.[0];
  return digits === undefined ? plainId(id) : BigInt(isHex ? `0x${digits}` : digits).toString();
}

/** Removes the usual differences: padding, leading zeros, and letter case. */
function plainId(id: string): string {
  return id
    .trim()
    .toLowerCase()
    .replace(/^0+(?=.)/, '');
}
