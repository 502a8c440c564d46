import Type, { type Static } from 'typebox';
import { Count, Id, Instant, orNull, PLAIN_NAME } from '../cabinet/fields.ts';
import type { AdminEndpoint } from './endpoint.ts';

/** How long a pardon may last. */
export const PARDON_HOURS_MAX = 72;

const Reason = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', format: PLAIN_NAME });
const NamedCompany = Type.Object({ id: Id, name: Type.String() });
/** False when there was nothing to change: somebody else was faster. */
const Changed = Type.Object({ success: Type.Literal(true), is_changed: Type.Boolean() });

/** The codes of one company to the numbers of one operator, in the hour before a suspicion. */
export const GuardDecision = Type.Object({
  company: NamedCompany,
  /** The first digits of the phones. */
  prefix: Type.String(),
  /** The end of the hour. */
  at: Instant,
  sent: Count,
  verified: Count,
  /** The largest share of verified codes that these numbers allow for. */
  share_max: Type.Number({ minimum: 0, maximum: 1 }),
  action: Type.Enum(['recorded', 'blocked']),
  /** Sends that it concerned, and those let through as a probe. */
  sends: Count,
  probes: Count,
  /** While an operator lets the stream pass. */
  pardoned_until: orNull(Instant),
});
export type GuardDecision = Static<typeof GuardDecision>;

export const ADMIN_ABUSE_ENDPOINTS = {
  /** The newest decisions of the pumping guard, of one company or of all. */
  guardDecisions: {
    method: 'GET',
    path: '/abuse/decisions',
    policy: 'operator',
    query: Type.Object({ company_id: Type.Optional(Id) }),
    answer: Type.Object({ success: Type.Literal(true), decisions: Type.Array(GuardDecision) }),
  },
  /** Everything that is closed now, newest first. */
  closures: {
    method: 'GET',
    path: '/abuse/closures',
    policy: 'operator',
    answer: Type.Object({
      success: Type.Literal(true),
      people: Type.Array(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          email: orNull(Type.String()),
          phone: orNull(Type.String()),
          reason: Type.String(),
          since: Instant,
        }),
      ),
      companies: Type.Array(
        Type.Object({ ...NamedCompany.properties, reason: Type.String(), since: Instant }),
      ),
      hosts: Type.Array(
        Type.Object({ host: Type.String(), reason: Type.String(), since: Instant }),
      ),
      pardons: Type.Array(
        Type.Object({
          company: NamedCompany,
          prefix: Type.String(),
          until: Instant,
          reason: Type.String(),
          set_by: orNull(Type.String()),
        }),
      ),
    }),
  },
  /** Lets the codes of a company to a prefix pass for some hours, whatever the guard thinks. */
  pardonStream: {
    method: 'POST',
    path: '/abuse/pardons',
    policy: 'operator',
    needsProof: true,
    body: Type.Object({
      company_id: Id,
      prefix: Type.String({ pattern: '^\\d{2,5}$' }),
      hours: Type.Integer({ minimum: 1, maximum: PARDON_HOURS_MAX }),
      reason: Reason,
    }),
    answer: Type.Object({ success: Type.Literal(true), until: Instant }),
  },
  endPardon: {
    method: 'DELETE',
    path: '/abuse/pardons/:company_id/:prefix',
    policy: 'operator',
    answer: Changed,
  },
  unblockPerson: {
    method: 'POST',
    path: '/abuse/people/:person_id/unblock',
    policy: 'operator',
    needsProof: true,
    body: Type.Object({ reason: Reason }),
    answer: Changed,
  },
  /** Closes the short links to a host and its subdomains, of all companies. */
  barHost: {
    method: 'POST',
    path: '/abuse/hosts',
    policy: 'operator',
    needsProof: true,
    body: Type.Object({ host: Type.String({ minLength: 1, maxLength: 253 }), reason: Reason }),
    answer: Changed,
  },
  unbarHost: {
    method: 'POST',
    path: '/abuse/hosts/unbar',
    policy: 'operator',
    needsProof: true,
    body: Type.Object({ host: Type.String({ minLength: 1, maxLength: 253 }), reason: Reason }),
    answer: Changed,
  },
} as const satisfies Record<string, AdminEndpoint>;
