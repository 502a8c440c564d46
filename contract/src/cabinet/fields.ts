import Type, { type TSchema } from 'typebox';
import { CHANNELS } from '../api/channel.ts';
import { BRAND_LENGTH_MAX } from '../api/limits.ts';
import { LANGS } from '../languages.ts';

/** Shapes that several endpoints of the cabinet share. */

/** More could not be told apart by a client that reads numbers as JavaScript does. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
/** An instant in UTC, in ISO form; pages show it in Almaty time. */
export const Instant = Type.String({ format: 'date-time' });
export const Tokens = Type.Integer({ minimum: 0 });
export const Count = Type.Integer({ minimum: 0 });

/**
 * Past hours that are not in the figures yet. The hours of a busy company are counted a part at a
 * time, the newest first, and each further request counts more of them. 0 when the figures are
 * complete.
 */
export const HoursToCount = Type.Integer({ minimum: 0 });
export const ChannelName = Type.Enum([...CHANNELS]);
export const Mode = Type.Enum(['test', 'live']);
export const Language = Type.Enum([...LANGS]);

/** Languages of messages; English is a language of the pages only. */
export const TEXT_LANGUAGES = ['ru', 'kk', 'both'] as const;
export const TextLanguage = Type.Enum([...TEXT_LANGUAGES]);

export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** The answer of an endpoint that returns nothing but its success. */
export const Done = Type.Object({ success: Type.Literal(true) });

/** A page of a list, newest first. `next` is the cursor of the next page; null at the end. */
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

/** The server registers the formats: instant.ts, plain-name.ts and mail-address.ts. */
export const INSTANT = 'instant';
export const PLAIN_NAME = 'plain-name';
export const MAIL_ADDRESS = 'mail-address';
export const InstantInput = Type.String({ format: INSTANT });
export const NameInput = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  format: PLAIN_NAME,
});
export const BrandInput = Type.String({ maxLength: BRAND_LENGTH_MAX, format: PLAIN_NAME });
export const NoteInput = Type.String({ maxLength: 200, format: PLAIN_NAME });
export const EmailInput = Type.String({ minLength: 3, maxLength: 254, format: MAIL_ADDRESS });
