/** What the endpoints of the cabinet and of the operator's desk have in common. */
import type { FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Caller } from '../../accounts/sessions.ts';
import { Problem } from '../../problem.ts';
import { bodyReader, isStorable } from './body.ts';

/** Where a call came from, as stored in the audit log. */
export type Origin = { requestId: string; address: string; device: string };

export function originOf(request: FastifyRequest): Origin {
  return {
    requestId: request.id,
    address: request.ip,
    device: deviceOf(request),
  };
}

/** No name or id of anything is a text that cannot be stored. */
export function readParams(
  params: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (Object.values(params).every(isStorable)) return params;
  throw new Problem('not_found');
}

/** A numeric id in a path. Anything else is answered with 404. */
export function readId(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d{0,14}$/.test(text)) throw new Problem('not_found');
  return Number(text);
}

type Shape = { type?: string; items?: unknown };

/**
 * Returns a validator of query strings for one schema. Values arrive as text: numbers and booleans
 * are parsed, and the items of a list are separated by commas.
 */
export function queryReader<Schema extends TSchema>(
  schema: Schema,
): (query: unknown) => Static<Schema> {
  const { properties } = schema as unknown as { properties: Record<string, Shape> };
  const check = bodyReader(schema);
  return (query) => {
    const given = query as Record<string, unknown>;
    const values: Record<string, unknown> = {};
    for (const [name, shape] of Object.entries(properties)) {
      const value = given[name];
      if (value === undefined || value === '') continue;
      if (typeof value === 'string' && !isStorable(value)) refuse(name);
      values[name] = readValue(value, shape);
    }
    return check(values);
  };
}

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

export const DONE = { success: true } as const;

const DEVICE_LENGTH_MAX = 300;

function deviceOf({ headers }: FastifyRequest): string {
  return (headers['user-agent'] ?? '').slice(0, DEVICE_LENGTH_MAX);
}

/** The browser that sent a request. */
export function callerOf(request: FastifyRequest): Caller {
  return { cookie: request.headers.cookie, address: request.ip, device: deviceOf(request) };
}
