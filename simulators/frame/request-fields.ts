/** Strict validation of control requests: a typo in a test must not look like a fault. */
import type { Json } from './read-body.ts';

/** The request is invalid; the message is a sentence that says why. */
export class BadRequest extends Error {}

/** `should` completes the sentence that begins with the field's name. */
export type Field<Value> = { should: string; isRight(value: unknown): value is Value };
type Fields = Readonly<Record<string, Field<unknown>>>;
export type Given<Shape extends Fields> = {
  [Name in keyof Shape]: Shape[Name] extends Field<infer Value> ? Value : never;
};

export function readBody(body: Buffer): Json {
  try {
    const value: unknown = JSON.parse(body.toString() || '{}');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  } catch {
    // Invalid JSON gets the error below, too.
  }
  throw new BadRequest('The body should be a JSON object.');
}

export function readFields<Shape extends Fields>(given: Json, fields: Shape): Given<Shape> {
  const unknownName = Object.keys(given).find((name) => !Object.hasOwn(fields, name));
  if (unknownName !== undefined) {
    const known = Object.keys(fields).join(', ') || 'none';
    throw new BadRequest(`There is no field "${unknownName}"; the fields are: ${known}.`);
  }
  for (const [name, { isRight, should }] of Object.entries(fields)) {
    if (!isRight(given[name])) throw new BadRequest(`"${name}" ${should}.`);
  }
  return given as Given<Shape>;
}

export const text: Field<string> = {
  should: 'should be a non-empty text',
  isRight: (value): value is string => typeof value === 'string' && value !== '',
};

export const phone: Field<string> = {
  should: 'should be a phone number in digits, with or without a plus',
  isRight: (value): value is string => typeof value === 'string' && /^\+?\d{7,15}$/.test(value),
};

export const flag: Field<boolean> = {
  should: 'should be true or false',
  isRight: (value): value is boolean => typeof value === 'boolean',
};

export const code: Field<string | number> = {
  should: 'should be a text or a number',
  isRight: (value): value is string | number => text.isRight(value) || Number.isFinite(value),
};

/** Node sends no other status as a final answer. */
export const httpStatus: Field<number> = {
  should: 'should be an HTTP status from 200 to 599',
  isRight: (value): value is number => integerFrom(200, 599).isRight(value),
};

export function integerFrom(min: number, max = Number.MAX_SAFE_INTEGER): Field<number> {
  const isOpen = max === Number.MAX_SAFE_INTEGER;
  return {
    should: `should be a whole number, ${isOpen ? `${min} or more` : `from ${min} to ${max}`}`,
    isRight: (value): value is number =>
      Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max,
  };
}

export function oneOf<Word extends string>(words: readonly Word[]): Field<Word> {
  return {
    should: `should be one of: ${words.join(', ')}`,
    isRight: (value): value is Word => words.some((word) => word === value),
  };
}

export function either<One, Other>(one: Field<One>, other: Field<Other>): Field<One | Other> {
  return {
    should: `${one.should}, or ${other.should}`,
    isRight: (value): value is One | Other => one.isRight(value) || other.isRight(value),
  };
}

export function listOf<Value>(field: Field<Value>): Field<readonly Value[]> {
  return {
    should: `should be a list whose items ${field.should}`,
    isRight: (value): value is Value[] => Array.isArray(value) && value.every(field.isRight),
  };
}

export function optional<Value>(field: Field<Value>): Field<Value | undefined> {
  return {
    should: field.should,
    isRight: (value): value is Value | undefined => value === undefined || field.isRight(value),
  };
}
