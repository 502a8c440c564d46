/** The reader's own test key. It stays in this tab and goes nowhere but to the API. */
const STORED_AS = 'zhiber.docs-key';
const KEY_FORM = /^zk_test_[A-Za-z0-9]{38}$/;

export type KeyProblem = 'live' | 'malformed';

export function checkKey(key: string): KeyProblem | undefined {
  if (key.startsWith('zk_live_')) return 'live';
  return KEY_FORM.test(key) ? undefined : 'malformed';
}

export function storedKey(): string | undefined {
  try {
    const key = sessionStorage.getItem(STORED_AS) ?? '';
    return checkKey(key) === undefined ? key : undefined;
  } catch {
    // A browser that forbids storage keeps the key for this page alone.
    return undefined;
  }
}

export function storeKey(key: string | undefined): void {
  try {
    if (key === undefined) sessionStorage.removeItem(STORED_AS);
    else sessionStorage.setItem(STORED_AS, key);
  } catch {
    // The page works without it; the key has to be pasted again on the next one.
  }
}
