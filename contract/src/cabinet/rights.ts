/**
 * The rights of each role in the cabinet, in one table: the server enforces it, the pages hide by
 * it, and the team page shows it.
 */
export const ROLES = [
  'owner',
  'manager',
  'developer',
  'accountant',
  'marketer',
  'support',
  'viewer',
] as const;
export type Role = (typeof ROLES)[number];

export const RIGHTS = {
  'overview.see': ['owner', 'manager', 'developer', 'marketer', 'viewer'],
  'messages.see': ['owner', 'manager', 'developer', 'marketer', 'support', 'viewer'],
  'messages.export': ['owner', 'manager'],
  /** Phones in full; everybody else sees them masked. Support finds a client by theirs. */
  'phones.see': ['owner', 'manager', 'support'],
  'requests.see': ['owner', 'manager', 'developer'],
  'links.see': ['owner', 'manager', 'developer', 'marketer', 'support', 'viewer'],
  'links.change': ['owner', 'manager', 'developer', 'marketer'],
  'groups.see': ['owner', 'manager', 'developer', 'marketer', 'viewer'],
  'groups.change': ['owner', 'manager', 'developer'],
  'broadcasts.see': ['owner', 'manager', 'marketer', 'support', 'viewer'],
  /** With the phones of the recipients in full: whoever makes a broadcast has brought them. */
  'broadcasts.change': ['owner', 'manager', 'marketer'],
  'broadcasts.approve': ['owner', 'manager'],
  'keys.see': ['owner', 'manager', 'developer', 'viewer'],
  'keys.change': ['owner', 'manager', 'developer'],
  'webhooks.see': ['owner', 'manager', 'developer'],
  'webhooks.change': ['owner', 'manager', 'developer'],
  'playground.use': ['owner', 'manager', 'developer'],
  /** The balance, the ledger, payments and papers: all that an accountant sees. */
  'balance.see': ['owner', 'manager', 'accountant'],
  'balance.topup': ['owner', 'manager', 'accountant'],
  'team.see': ['owner', 'manager', 'developer', 'marketer', 'viewer'],
  'team.change': ['owner', 'manager'],
  /** The company's details, and on every page how much money is left. */
  'company.see': ['owner', 'manager', 'developer', 'accountant', 'marketer', 'viewer'],
  'company.change': ['owner', 'manager'],
  /** Rules about how everybody in the company signs in. */
  'company.secure': ['owner'],
  'audit.see': ['owner', 'manager'],
} as const satisfies Record<string, readonly Role[]>;

export type Right = keyof typeof RIGHTS;

export function hasRight(role: Role, right: Right): boolean {
  return (RIGHTS[right] as readonly Role[]).includes(role);
}

export function rightsOf(role: Role): Right[] {
  return (Object.keys(RIGHTS) as Right[]).filter((right) => hasRight(role, right));
}

/**
 * What an operator sees who looks at the cabinet of a company: everything that can be read, with
 * masked phones. The virtual phone is not part of it, because it shows codes.
 */
export const VIEW_RIGHTS = [
  'overview.see',
  'messages.see',
  'requests.see',
  'links.see',
  'groups.see',
  'broadcasts.see',
  'keys.see',
  'webhooks.see',
  'balance.see',
  'team.see',
  'company.see',
  'audit.see',
] as const satisfies readonly Right[];

export function isViewRight(right: string): boolean {
  return (VIEW_RIGHTS as readonly string[]).includes(right);
}
