import { useState } from 'react';
import type { RequestFields } from '../../snippets/request-body.ts';
import type { PlaygroundFacts, PlaygroundKey } from '../backend.ts';
import { FIRST_FIELDS, type Sending } from './fields.ts';

/** The request in the form, and how it is changed. */
export type Draft = {
  operation: Sending;
  fields: RequestFields;
  onOperation: (operation: Sending) => void;
  onSet: (edit: Partial<RequestFields>) => void;
};

export type RequestProps = Draft & { facts: PlaygroundFacts; apiKey: PlaygroundKey };

/** The first group is chosen until somebody chooses another one. */
export function withFirstGroup(draft: Draft, groups: PlaygroundFacts['groups']): Draft {
  const group = draft.fields.group || (groups?.[0]?.name ?? '');
  return { ...draft, fields: { ...draft.fields, group } };
}

/** What the form begins with, such as a call that is to be repeated. */
export type FirstDraft = { operation?: Sending | undefined; fields?: Partial<RequestFields> };

export function useDraft(first: FirstDraft = {}): Draft {
  const [operation, setOperation] = useState<Sending>(first.operation ?? 'otpSend');
  const [fields, setFields] = useState({ ...FIRST_FIELDS, ...first.fields });
  return {
    operation,
    fields,
    onOperation: setOperation,
    onSet: (edit) => setFields((before) => ({ ...before, ...edit })),
  };
}
