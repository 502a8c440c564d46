/**
 * A mail address in its plain form: one mailbox, without a display name, quotes, comments or groups.
 * Everything else has spellings that mail servers read in different ways.
 */
export function isMailAddress(text: string): boolean {
  return text.length <= LENGTH_MAX && ADDRESS.test(text);
}

const LENGTH_MAX = 254;
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const ADDRESS = new RegExp(
  `^(?=[^@]{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]$`,
);

/**
 * The mailbox behind the spellings of an address, for limits: letter case and a tag after a plus do
 * not matter, and neither do dots at Gmail.
 */
export function mailboxOf(address: string): string {
  const [local = '', domain = ''] = address.toLowerCase().split('@');
  const untagged = local.replace(/\+.*$/, '') || local;
  const isGmail = /^(?:gmail|googlemail)\.com$/.test(domain);
  return isGmail ? `${untagged.replaceAll('.', '')}@gmail.com` : `${untagged}@${domain}`;
}
