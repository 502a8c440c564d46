/**
 * Message centres are known to spell the id of a message one way in the response and another way in
 * the receipt. Here both become the same text.
 */
export type IdForm = 'same' | 'hex_in_response' | 'hex_in_receipt';
type Place = 'response' | 'receipt';

const HEX = /^(?:0x)?([0-9a-f]{1,64})$/i;
const DECIMAL = /^[0-9]{1,64}$/;

export function normalId(id: string, place: Place, form: IdForm): string {
  if (form === 'same') return plainId(id);
  const isHex = form === `hex_in_${place}`;
  const digits = isHex ? HEX.exec(id)?.[1] : DECIMAL.exec(id)?.[0];
  return digits === undefined ? plainId(id) : BigInt(isHex ? `0x${digits}` : digits).toString();
}

/** Without what the two spellings of one id usually differ in: padding, and the size of letters. */
function plainId(id: string): string {
  return id
    .trim()
    .toLowerCase()
    .replace(/^0+(?=.)/, '');
}
