import Type, { type Static } from 'typebox';
import { BroadcastId, Tag, Tags } from './broadcast-fields.ts';
import type { CabinetEndpoint } from './endpoint.ts';
import { Count, Cursor, Done, Id, Instant, NameInput, orNull, pageOf } from './fields.ts';

export const RecipientList = Type.Object({
  id: Id,
  name: Type.String(),
  columns: Type.Array(Type.String()),
  members: Count,
  tags: Type.Array(Type.Object({ tag: Type.String(), members: Count })),
  updated_at: Instant,
});
export type RecipientList = Static<typeof RecipientList>;

export const RECIPIENT_LIST_ENDPOINTS = {
  recipientLists: {
    method: 'GET',
    path: '/recipient-lists',
    policy: 'broadcasts.see',
    answer: Type.Object({ success: Type.Literal(true), lists: Type.Array(RecipientList) }),
  },
  createList: {
    method: 'POST',
    path: '/recipient-lists',
    policy: 'broadcasts.change',
    body: Type.Object({ name: NameInput }),
    answer: Type.Object({ success: Type.Literal(true), id: Id }),
  },
  renameList: {
    method: 'PUT',
    path: '/recipient-lists/:id',
    policy: 'broadcasts.change',
    body: Type.Object({ name: NameInput }),
    answer: Done,
  },
  deleteList: {
    method: 'DELETE',
    path: '/recipient-lists/:id',
    policy: 'broadcasts.change',
    answer: Done,
  },
  listMembers: {
    method: 'GET',
    path: '/recipient-lists/:id/members',
    policy: 'broadcasts.see',
    query: Type.Object({ cursor: Cursor, tag: Type.Optional(Tag) }),
    answer: pageOf(
      Type.Object({
        phone: Type.String(),
        cells: Type.Array(Type.String()),
        tags: Type.Array(Type.String()),
        has_consent: orNull(Type.Boolean()),
        is_unsubscribed: Type.Boolean(),
      }),
    ),
  },
  removeListMember: {
    method: 'DELETE',
    path: '/recipient-lists/:id/members/:phone',
    policy: 'broadcasts.change',
    answer: Done,
  },
  /**
   * Takes the checked rows of a draft into a list, with these tags: new phones are added, known ones
   * get the new cells. Tells what changed.
   */
  importIntoList: {
    method: 'POST',
    path: '/recipient-lists/:id/import',
    policy: 'broadcasts.change',
    body: Type.Object({ broadcast_id: BroadcastId, tags: Type.Optional(Tags) }),
    answer: Type.Object({
      success: Type.Literal(true),
      added: Count,
      updated: Count,
      unchanged: Count,
      left_out: Count,
    }),
  },
} as const satisfies Record<string, CabinetEndpoint>;
