import Type, { type Static, type TSchema } from 'typebox';
import { CHANNELS } from '../api/channel.ts';

/** Shapes that several endpoints of the cabinet share. */
export const Id = Type.Integer({ minimum: 1 });
/** An instant in UTC, in ISO form; pages show it in Almaty time. */
export const Instant = Type.String({ format: 'date-time' });
export const Tokens = Type.Integer({ minimum: 0 });
export const Count = Type.Integer({ minimum: 0 });

/**
 * Hours of the past that are not in the figures yet: those of a busy company are counted a part at a
 * time, the newest first, and whoever asks again gets more of them. 0 when the figures are whole.
 */
export const HoursToCount = Type.Integer({ minimum: 0 });
export const ChannelName = Type.Enum([...CHANNELS]);
export const Mode = Type.Enum(['test', 'live']);
export const Lang = Type.Enum(['ru', 'kk', 'en']);
export type Lang = Static<typeof Lang>;

/** Of the texts to people; English is a language of the pages alone. */
export const TEXT_LANGUAGES = ['ru', 'kk', 'both'] as const;
export const TextLanguage = Type.Enum([...TEXT_LANGUAGES]);

export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** The answer of what only has to be told that it went well. */
export const Done = Type.Object({ success: Type.Literal(true) });

/** Rows of a list, newest first, and where the next ones begin; null at the end. */
export const pageOf = <Schema extends TSchema>(row: Schema) =>
  Type.Object({
    success: Type.Literal(true),
    rows: Type.Array(row),
    next: orNull(Type.String()),
  });

export const Cursor = Type.Optional(Type.String({ maxLength: 200 }));
/** Empty means all. Values of one filter are alternatives. */
export const choices = (values: readonly string[]) =>
  Type.Optional(
    Type.Array(Type.Enum([...values] as [string, ...string[]]), { maxItems: values.length }),
  );

export const NameInput = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });
