import Type, { type Static } from 'typebox';
import { RECIPIENTS_MAX } from './broadcast-words.ts';
import type { CabinetEndpoint } from './endpoint.ts';
import {
  BrandInput,
  Count,
  Cursor,
  Done,
  EmailInput,
  Id,
  Instant,
  InstantInput,
  NameInput,
  NoteInput,
  orNull,
  pageOf,
  TextLanguage,
  Tokens,
} from './fields.ts';
import { ROLES } from './rights.ts';

/** How many companies one person may own when they create another. */
export const OWNED_COMPANIES_MAX = 10;

const RoleName = Type.Enum([...ROLES]);
const BusinessId = Type.String({ pattern: '^[0-9]{12}$' });

export const Company = Type.Object({
  success: Type.Literal(true),
  id: Id,
  name: Type.String(),
  /** БИН or ИИН. */
  business_id: orNull(Type.String()),
  /** Language of messages, for keys that are created later. */
  language: TextLanguage,
  brand: orNull(Type.String()),
  /** Nobody without a second factor may use the cabinet of this company. */
  requires_second_factor: Type.Boolean(),
  /** Broadcasts to more recipients than this are approved by a second person; null: none is. */
  approval_above: orNull(Count),
  created_at: Instant,
});
export type Company = Static<typeof Company>;

export const COMPANY_ENDPOINTS = {
  /**
   * Includes the welcome bonus, once. The person becomes the owner. Its first test key is made with it,
   * and shown only here.
   */
  createCompany: {
    method: 'POST',
    path: '/companies',
    policy: 'signed-in',
    body: Type.Object({
      name: NameInput,
      /** Of the person, who may have signed up without one. */
      person_name: Type.Optional(NameInput),
      business_id: Type.Optional(BusinessId),
      language: Type.Optional(TextLanguage),
      brand: Type.Optional(BrandInput),
    }),
    answer: Type.Object({
      success: Type.Literal(true),
      id: Id,
      balance: Tokens,
      test_key: Type.Object({ id: Id, key: Type.String() }),
    }),
  },
  company: { method: 'GET', path: '/company', policy: 'company.see', answer: Company },
  changeCompany: {
    method: 'PUT',
    path: '/company',
    policy: 'company.change',
    body: Type.Object({
      name: NameInput,
      business_id: orNull(BusinessId),
      language: TextLanguage,
      brand: orNull(BrandInput),
      approval_above: orNull(Type.Integer({ minimum: 0, maximum: RECIPIENTS_MAX })),
    }),
    answer: Done,
  },
  /** Of everybody in the company. An owner who has none themselves cannot require it. */
  requireSecondFactor: {
    method: 'PUT',
    path: '/company/second-factor',
    policy: 'company.secure',
    body: Type.Object({ is_required: Type.Boolean() }),
    answer: Done,
    needsFreshSignIn: true,
  },
} as const satisfies Record<string, CabinetEndpoint>;

export const Member = Type.Object({
  id: Type.String(),
  name: Type.String(),
  /** E-mail or phone, whichever the person has. */
  contact: Type.String(),
  role: RoleName,
  has_second_factor: Type.Boolean(),
  joined_at: Instant,
  seen_at: orNull(Instant),
  is_me: Type.Boolean(),
});
export type Member = Static<typeof Member>;

export const Invitation = Type.Object({
  id: Id,
  role: RoleName,
  note: orNull(Type.String()),
  invited_by: Type.String(),
  created_at: Instant,
  ends_at: Instant,
});
export type Invitation = Static<typeof Invitation>;

export const TEAM_ENDPOINTS = {
  team: {
    method: 'GET',
    path: '/team',
    policy: 'team.see',
    answer: Type.Object({
      success: Type.Literal(true),
      members: Type.Array(Member),
      /** Open invitations; empty for roles that may not invite. */
      invitations: Type.Array(Invitation),
    }),
  },
  /** The link is returned only here. A letter is sent as well when an address is given. */
  invite: {
    method: 'POST',
    path: '/team/invitations',
    policy: 'team.change',
    body: Type.Object({
      role: RoleName,
      /** A note on whom it is for. */
      note: Type.Optional(NoteInput),
      email: Type.Optional(EmailInput),
    }),
    answer: Type.Object({ success: Type.Literal(true), link: Type.String(), ends_at: Instant }),
    needsFreshSignIn: true,
  },
  withdrawInvitation: {
    method: 'DELETE',
    path: '/team/invitations/:id',
    policy: 'team.change',
    answer: Done,
  },
  /** What the page of an invitation shows before it is accepted. */
  readInvitation: {
    method: 'POST',
    path: '/invitations/read',
    policy: 'anyone',
    body: Type.Object({ token: Type.String({ maxLength: 200 }) }),
    answer: Type.Object({
      success: Type.Literal(true),
      company: Type.String(),
      role: RoleName,
      ends_at: Instant,
      /** Who would accept it in this browser; null: nobody is signed in. */
      signed_in: orNull(Type.Object({ name: Type.String(), has_name: Type.Boolean() })),
    }),
  },
  acceptInvitation: {
    method: 'POST',
    path: '/invitations/accept',
    policy: 'signed-in',
    body: Type.Object({
      token: Type.String({ maxLength: 200 }),
      /** Of a person who has signed up without one. */
      name: Type.Optional(NameInput),
    }),
    answer: Done,
  },
  changeRole: {
    method: 'PUT',
    path: '/team/members/:id',
    policy: 'team.change',
    body: Type.Object({ role: RoleName }),
    answer: Done,
    needsFreshSignIn: true,
  },
  removeMember: {
    method: 'DELETE',
    path: '/team/members/:id',
    policy: 'team.change',
    answer: Done,
    needsFreshSignIn: true,
  },
} as const satisfies Record<string, CabinetEndpoint>;

/** The actions in the audit log, in the order of the pages. */
export const AUDIT_ACTIONS = [
  'company.created',
  'company.changed',
  'company.suspended',
  'company.resumed',
  'company.viewed',
  'member.invited',
  'invitation.withdrawn',
  'member.joined',
  'member.role_changed',
  'member.removed',
  'member.blocked',
  'member.unblocked',
  'key.created',
  'key.changed',
  'key.rotated',
  'key.revoked',
  'webhook.created',
  'webhook.changed',
  'webhook.switched_on',
  'webhook.switched_off',
  'webhook.deleted',
  'webhook.secret_shown',
  'webhook.secret_rotated',
  'webhook.replayed',
  'link.created',
  'link.changed',
  'link.tagged',
  'link.disabled',
  'link.enabled',
  'group.linked',
  'group.renamed',
  'group.unlinked',
  'broadcast.created',
  'broadcast.rows_loaded',
  'broadcast.approval_asked',
  'broadcast.approved',
  'broadcast.started',
  'broadcast.withdrawn',
  'broadcast.paused',
  'broadcast.resumed',
  'broadcast.cancelled',
  'broadcast.deleted',
  'broadcast.exported',
  'recipient_list.created',
  'recipient_list.changed',
  'recipient_list.deleted',
  'recipient_list.imported',
  'unsubscribed.added',
  'unsubscribed.removed',
  'template.saved',
  'template.deleted',
  'messages.exported',
  'playground.sent',
  'message.resent',
  'phones.searched',
  'host.barred',
  'host.unbarred',
  'topup.created',
  'topup.cancelled',
  'balance.topped_up',
  'balance.refunded',
  'balance.refund_refused',
  'balance.corrected',
  'price.set',
  'price.withdrawn',
  'sender.changed',
  'alert.changed',
  'paper.sent',
  'ledger.exported',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AuditRecord = Type.Object({
  id: Type.Integer(),
  at: Instant,
  /** Null for the operator's command line. */
  person: orNull(Type.String()),
  action: Type.Enum([...AUDIT_ACTIONS]),
  /** The object as text: the name of a key, the address of a link. */
  object: Type.String(),
  /** The fields that changed, masked where necessary. */
  before: orNull(Type.Record(Type.String(), Type.Unknown())),
  after: orNull(Type.Record(Type.String(), Type.Unknown())),
  address: orNull(Type.String()),
  request_id: orNull(Type.String()),
});
export type AuditRecord = Static<typeof AuditRecord>;

export const AUDIT_ENDPOINTS = {
  audit: {
    method: 'GET',
    path: '/audit',
    policy: 'audit.see',
    query: Type.Object({
      cursor: Cursor,
      action: Type.Optional(Type.Enum([...AUDIT_ACTIONS])),
      person: Type.Optional(Type.String({ maxLength: 64 })),
      from: Type.Optional(InstantInput),
      to: Type.Optional(InstantInput),
    }),
    answer: pageOf(AuditRecord),
  },
} as const satisfies Record<string, CabinetEndpoint>;
