/**
 * The text of a test key that was made a moment ago, for the page of the first steps. It is here alone:
 * in no cache, no address and no storage, and gone with a reload.
 */
export type HandedKey = { companyId: number; keyId: number; key: string };

let handed: HandedKey | undefined;

export function handOverKey(key: HandedKey): void {
  handed = key;
}

export function handedKeyOf(companyId: number): HandedKey | undefined {
  return handed?.companyId === companyId ? handed : undefined;
}

export function forgetHandedKey(): void {
  handed = undefined;
}
