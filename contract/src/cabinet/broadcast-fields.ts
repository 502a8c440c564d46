import Type from 'typebox';
import { URL_LENGTH_MAX } from '../api/limits.ts';
import {
  BROADCAST_STATES,
  BROADCAST_TEXT_LENGTH_MAX,
  COLUMNS_MAX,
  RECIPIENT_OUTCOMES,
  ROW_VERDICTS,
} from './broadcast-words.ts';
import { Count } from './fields.ts';

export const BroadcastId = Type.String({ format: 'uuid' });
export const State = Type.Enum([...BROADCAST_STATES]);
export const Verdict = Type.Enum([...ROW_VERDICTS]);
export const Outcome = Type.Enum([...RECIPIENT_OUTCOMES]);
export const TextInput = Type.String({ maxLength: BROADCAST_TEXT_LENGTH_MAX });
export const UrlInput = Type.String({ maxLength: URL_LENGTH_MAX });
export const Column = Type.Integer({ minimum: 1, maximum: COLUMNS_MAX });
export const Tag = Type.String({ minLength: 1, maxLength: 50, pattern: '\\S' });
export const Tags = Type.Array(Tag, { maxItems: 20 });

export const countsOf = <Name extends string>(names: readonly Name[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Count])) as Record<Name, typeof Count>);
