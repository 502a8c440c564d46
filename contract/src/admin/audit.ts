import Type, { type Static } from 'typebox';
import { Cursor, Id, Instant, InstantInput, orNull, pageOf } from '../cabinet/fields.ts';
import type { AdminEndpoint } from './endpoint.ts';

/** What operators do, in the order of the pages. */
export const OPERATOR_ACTIONS = [
  'operator.created',
  'operator.joined',
  'operator.second_factor_added',
  'operator.signed_in',
  'operator.reset',
  'operator.removed',
  'company.suspended',
  'company.resumed',
  'company.viewed',
  'company.price_set',
  'company.price_withdrawn',
  'company.sender_chosen',
  'company.key_limited',
  'correction.applied',
  'correction.asked',
  'correction.approved',
  'correction.declined',
  'incident.created',
  'incident.changed',
  'incident.updated',
  'incident.published',
  'incident.discarded',
  'guard.pardoned',
  'guard.pardon_ended',
  'person.unblocked',
  'host.barred',
  'host.unbarred',
  'job.retried',
  'job.run',
  'work.retried',
  'cost.set',
  'client.searched',
  'payment.confirmed',
  'payment.asked_about',
  'payment.closed',
  'payment.reviewed',
  'statement.imported',
  'statement.credited',
  'statement.matched',
  'refund.asked',
  'refund.settled',
  'refund.retried',
  'fiscal.retried',
  'price.set',
  'price.withdrawn',
  'sender.registered',
  'sender.removed',
] as const;
export type OperatorAction = (typeof OPERATOR_ACTIONS)[number];

export const OperatorAct = Type.Object({
  id: Type.Integer(),
  at: Instant,
  /** Null for the command line. */
  person: orNull(Type.String()),
  action: Type.Enum([...OPERATOR_ACTIONS]),
  /** The object as text: a name, an address, a number. */
  object: Type.String(),
  /** The company that it was about, where there is one. */
  company: orNull(Type.Object({ id: Id, name: Type.String() })),
  /** The fields that changed, masked where necessary. */
  before: orNull(Type.Record(Type.String(), Type.Unknown())),
  after: orNull(Type.Record(Type.String(), Type.Unknown())),
  address: orNull(Type.String()),
  request_id: orNull(Type.String()),
});
export type OperatorAct = Static<typeof OperatorAct>;

export const ADMIN_AUDIT_ENDPOINTS = {
  audit: {
    method: 'GET',
    path: '/audit',
    policy: 'operator',
    query: Type.Object({
      cursor: Cursor,
      action: Type.Optional(Type.Enum([...OPERATOR_ACTIONS])),
      /** The id of an operator. */
      person: Type.Optional(Type.String({ maxLength: 64 })),
      company_id: Type.Optional(Id),
      from: Type.Optional(InstantInput),
      to: Type.Optional(InstantInput),
    }),
    answer: pageOf(OperatorAct),
  },
  /** Everybody who is or was an operator, for the filter of the audit. */
  operators: {
    method: 'GET',
    path: '/operators',
    policy: 'operator',
    answer: Type.Object({
      success: Type.Literal(true),
      operators: Type.Array(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          email: orNull(Type.String()),
          is_removed: Type.Boolean(),
        }),
      ),
    }),
  },
} as const satisfies Record<string, AdminEndpoint>;
