import type { Static, TSchema } from 'typebox';
import { Problem } from '../../../problem.ts';
import { bodyReader } from '../../body.ts';

type Shape = { type?: string; items?: unknown };

/**
 * A reader of query strings of one shape. Values arrive as text: numbers and booleans are read as
 * such, and the alternatives of a list are separated by commas.
 */
export function queryReader<Schema extends TSchema>(
  schema: Schema,
): (query: unknown) => Static<Schema> {
  const { properties } = schema as unknown as { properties: Record<string, Shape> };
  const check = bodyReader(schema);
  return (query) => {
    const given = query as Record<string, unknown>;
    const read: Record<string, unknown> = {};
    for (const [name, shape] of Object.entries(properties)) {
      const value = given[name];
      if (value === undefined || value === '') continue;
      if (typeof value === 'string' && value.includes('\0')) refuse(name);
      read[name] = readValue(value, shape);
    }
    return check(read);
  };
}

/** The database cannot keep it, and nothing that could be found holds it. */
function refuse(name: string): never {
  throw new Problem('validation_error', { errors: { [name]: ['Неверный формат'] } });
}

function readValue(value: unknown, { type }: Shape): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'array') return value.split(',');
  if (type === 'integer' || type === 'number') return /^-?\d{1,15}$/.test(value) ? +value : value;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  return value;
}
