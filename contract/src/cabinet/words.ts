/** Words and numbers of the contract without the schemas around them: pages load these alone. */

export const PASSWORD_LENGTH_MIN = 8;
export const PASSWORD_LENGTH_MAX = 128;

/** Hours for which a replaced secret may go on. */
export const OVERLAP_HOURS = [0, 1, 24, 168] as const;

/** What a link was made for. */
export const LINK_SOURCES = ['otp', 'link', 'group', 'shorten'] as const;

/** What is written down, in the order of the pages. */
export const AUDIT_ACTIONS = [
  'company.created',
  'company.changed',
  'member.invited',
  'invitation.withdrawn',
  'member.joined',
  'member.role_changed',
  'member.removed',
  'key.created',
  'key.changed',
  'key.rotated',
  'key.revoked',
  'link.created',
  'link.disabled',
  'link.enabled',
  'group.linked',
  'group.renamed',
  'group.unlinked',
  'messages.exported',
  'phone.revealed',
  'playground.sent',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];
