import type { ErrorFacts } from '@zhiber/contract/api/error-answer.ts';
import { BODY_DEPTH_MAX } from '@zhiber/contract/api/limits.ts';
import { INSTANT, MAIL_ADDRESS, PLAIN_NAME } from '@zhiber/contract/cabinet/fields.ts';
import { isInstant } from '@zhiber/contract/instant.ts';
import { isMailAddress } from '@zhiber/contract/mail-address.ts';
import { isPlainName } from '@zhiber/contract/plain-name.ts';
import type { Static, TSchema } from 'typebox';
import Format from 'typebox/format';
import { Compile } from 'typebox/schema';
import { Problem } from '../../problem.ts';

Format.Set(INSTANT, isInstant);
Format.Set(PLAIN_NAME, isPlainName);
Format.Set(MAIL_ADDRESS, isMailAddress);

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a body as a JSON object. Refused here: bytes that are not UTF-8, deep nesting (before any
 * recursive code sees it), and NUL or lone surrogates, which the database cannot store.
 */
export function parseBody(bytes: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    const text = decoder.decode(bytes);
    if (isTooDeep(text)) throw new Problem('invalid_json');
    // Only a \u escape can produce a lone surrogate or NUL past the decoder, so bodies without one
    // skip the slower parse with a reviver.
    value = text.includes('\\u') ? JSON.parse(text, refuseUnstorable) : JSON.parse(text);
  } catch {
    throw new Problem('invalid_json');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Problem('invalid_json');
  }
  return value as Record<string, unknown>;
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (isInString) {
      if (character === 0x5c) i++;
      else if (character === 0x22) isInString = false;
    } else if (character === 0x22) isInString = true;
    else if (character === 0x7b || character === 0x5b) {
      depth++;
      if (depth > BODY_DEPTH_MAX) return true;
    } else if (character === 0x7d || character === 0x5d) depth--;
  }
  return false;
}

function refuseUnstorable(_key: string, value: unknown): unknown {
  if (typeof value === 'string' && !isStorable(value)) throw new Problem('invalid_json');
  return value;
}

/** The database stores neither NUL nor half of a surrogate pair, so no row could match them. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * Returns a validator for one schema. Unknown fields are ignored; null in an optional field means
 * absent, unless null is one of its values.
 */
export function bodyReader<Schema extends TSchema>(
  schema: Schema,
): (body: unknown) => Static<Schema> {
  let check: ReturnType<typeof Compile> | undefined;
  const fields = Object.entries(
    (schema as unknown as { properties: Record<string, FieldShape> }).properties,
  );
  const required = new Set((schema as unknown as { required?: string[] }).required ?? []);

  return (body) => {
    if (body === undefined || body === null) throw new Problem('invalid_json');
    const given = body as Record<string, unknown>;
    const known: Record<string, unknown> = {};
    for (const [name, shape] of fields) {
      if (!Object.hasOwn(given, name)) continue;
      if (given[name] === null && !required.has(name) && !canBeNull(shape)) continue;
      known[name] = given[name];
    }
    // Compiled lazily: compiling every schema would delay the start.
    check ??= Compile(schema);
    if (check.Check(known)) return known as Static<Schema>;
    const [, schemaErrors] = check.Errors(known);
    throw new Problem('validation_error', { errors: toFieldErrors(schemaErrors) });
  };
}

type FieldShape = { anyOf?: { type?: string }[] };

function canBeNull({ anyOf }: FieldShape): boolean {
  return anyOf?.some(({ type }) => type === 'null') ?? false;
}

type SchemaError = { keyword: string; instancePath: string; params: unknown };

function toFieldErrors(schemaErrors: readonly SchemaError[]): NonNullable<ErrorFacts['errors']> {
  const errors: Record<string, string[]> = {};
  for (const { keyword, instancePath, params } of schemaErrors) {
    if (keyword === 'required') {
      for (const name of (params as { requiredProperties: string[] }).requiredProperties) {
        errors[name] = ['Обязательное поле'];
      }
      continue;
    }
    const name = instancePath.split('/')[1] ?? '';
    errors[name] ??= [describeError(keyword, params)];
  }
  return errors;
}

function describeError(keyword: string, params: unknown): string {
  const { limit, type, allowedValues, format } = params as {
    limit?: number;
    type?: string;
    format?: string;
    allowedValues?: string[];
  };
  switch (keyword) {
    case 'type':
      return type === 'integer' ? 'Должно быть целым числом' : 'Должно быть строкой';
    case 'enum':
      return `Допустимые значения: ${(allowedValues ?? []).join(', ')}`;
    case 'minLength':
      return 'Не должно быть пустым';
    case 'maxLength':
      return `Не длиннее ${limit} символов`;
    case 'minimum':
      return `Не меньше ${limit}`;
    case 'maximum':
      return `Не больше ${limit}`;
    case 'format':
      return format === PLAIN_NAME
        ? 'Без адресов сайтов, переносов строк и невидимых знаков'
        : 'Неверный формат';
    default:
      return 'Неверный формат';
  }
}
