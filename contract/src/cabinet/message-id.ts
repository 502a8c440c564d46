/**
 * How people see the id of a message: `msg_` and its UUID in base 58, which has no letters that look
 * alike. The API has the UUID itself.
 */
const PREFIX = 'msg_';
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE = BigInt(ALPHABET.length);
/** 58 to this power is more than there are UUIDs. */
const LENGTH = 22;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const SHORT = new RegExp(`^${PREFIX}[${ALPHABET}]{${LENGTH}}$`);
const UUIDS = 1n << 128n;

/** `019a8a0c-7a3e-7d11-8c56-0123456789ab` → `msg_…`; any other text stays as it is. */
export function shortMessageId(id: string): string {
  if (!UUID.test(id)) return id;
  let rest = BigInt(`0x${id.replaceAll('-', '')}`);
  let text = '';
  for (let i = 0; i < LENGTH; i++) {
    text = ALPHABET.charAt(Number(rest % BASE)) + text;
    rest /= BASE;
  }
  return PREFIX + text;
}

/** The UUID of an id in either form; undefined when it is neither. */
export function readMessageId(text: string): string | undefined {
  const uuid = text.toLowerCase();
  if (UUID.test(uuid)) return uuid;
  if (!SHORT.test(text)) return undefined;
  let value = 0n;
  for (const character of text.slice(PREFIX.length)) {
    value = value * BASE + BigInt(ALPHABET.indexOf(character));
  }
  if (value >= UUIDS) return undefined;
  const hex = value.toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
