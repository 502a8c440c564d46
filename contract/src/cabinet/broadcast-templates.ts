import Type, { type Static } from 'typebox';
import { TextInput, UrlInput } from './broadcast-fields.ts';
import type { CabinetEndpoint } from './endpoint.ts';
import { Done, Id, NameInput, orNull } from './fields.ts';

export const SavedTemplate = Type.Object({
  id: Id,
  name: Type.String(),
  text: Type.String(),
  url: orNull(Type.String()),
});
export type SavedTemplate = Static<typeof SavedTemplate>;

export const BROADCAST_TEMPLATE_ENDPOINTS = {
  broadcastTemplates: {
    method: 'GET',
    path: '/broadcast-templates',
    policy: 'broadcasts.see',
    answer: Type.Object({
      success: Type.Literal(true),
      templates: Type.Array(SavedTemplate),
    }),
  },
  /** Replaces one of the same name. */
  saveTemplate: {
    method: 'POST',
    path: '/broadcast-templates',
    policy: 'broadcasts.change',
    body: Type.Object({ name: NameInput, text: TextInput, url: orNull(UrlInput) }),
    answer: Type.Object({ success: Type.Literal(true), id: Id }),
  },
  deleteTemplate: {
    method: 'DELETE',
    path: '/broadcast-templates/:id',
    policy: 'broadcasts.change',
    answer: Done,
  },
} as const satisfies Record<string, CabinetEndpoint>;
