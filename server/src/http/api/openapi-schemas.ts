import { fieldText } from '@zhiber/contract/api/descriptions.ts';
import type { Lang } from '@zhiber/contract/languages.ts';
import type { TSchema } from 'typebox';

export type Json = Record<string, unknown>;

export function schemaId(schema: TSchema | Json): string | undefined {
  return (schema as { $id?: string }).$id;
}

/** A reference to a schema that `listSchemas` puts among the components, or the schema itself. */
export function refTo(schema: TSchema, lang: Lang): Json {
  const id = schemaId(schema);
  return id === undefined
    ? describeSchema(schema, lang)
    : { $ref: `#/components/schemas/${schemaId(schema)}` };
}

/** The named schemas with everything named inside them, by name. */
export function listSchemas(schemas: readonly TSchema[], lang: Lang): Json {
  const named = schemas.flatMap((schema) => namedWithin(schema));
  return Object.fromEntries(
    named.map((schema) => [schemaId(schema), describeSchema(schema, lang)] as const),
  );
}

function namedWithin(part: unknown): TSchema[] {
  if (typeof part !== 'object' || part === null) return [];
  const inner = Object.values(part).flatMap(namedWithin);
  return schemaId(part as Json) === undefined ? inner : [part as TSchema, ...inner];
}

/** A schema as OpenAPI tools read it best, with the text of every field. */
function describeSchema(schema: TSchema, lang: Lang): Json {
  const { $id, ...rest } = schema as Json;
  return convert(rest, String($id ?? ''), lang);
}

function convert(schema: Json, owner: string, lang: Lang): Json {
  const converted: Json = {};
  for (const [name, value] of Object.entries(schema)) {
    if (name === 'properties') converted.properties = convertFields(value as Json, owner, lang);
    else if (name === 'items') converted.items = convertInner(value as Json, owner, lang);
    else if (name === 'anyOf') {
      converted.anyOf = (value as Json[]).map((item) => convertInner(item, owner, lang));
    }
    // A record of any names, which generators know in this form only.
    else if (name === 'patternProperties') {
      const [inner] = Object.values(value as Json);
      converted.additionalProperties = convertInner(inner as Json, owner, lang);
    } else converted[name] = value;
  }
  // TypeBox leaves the type of an enum out, and many generators then give up on it.
  return schema.enum !== undefined && schema.type === undefined
    ? { type: 'string', ...converted }
    : converted;
}

function convertInner(schema: Json, owner: string, lang: Lang): Json {
  return schemaId(schema) === undefined
    ? convert(schema, owner, lang)
    : refTo(schema as TSchema, lang);
}

function convertFields(fields: Json, owner: string, lang: Lang): Json {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const converted = convertInner(field as Json, owner, lang);
      const description = fieldText(owner, name, lang) ?? converted.description;
      return [name, description === undefined ? converted : { ...converted, description }];
    }),
  );
}

/** A likely value: the first example of each field, or the plainest value of its type. */
export function exampleOf(schema: TSchema | Json): unknown {
  const {
    examples,
    const: only,
    enum: choices,
    type,
    format,
    minimum,
    properties,
  } = schema as Json;
  if (examples !== undefined) return (examples as unknown[])[0];
  if (only !== undefined) return only;
  if (choices !== undefined) return (choices as unknown[])[0];
  if (properties !== undefined) {
    const fields = Object.entries(properties as Record<string, Json>);
    return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field)]));
  }
  if (type === 'integer' || type === 'number') return minimum ?? 0;
  if (type === 'boolean') return true;
  if (type === 'array') return [];
  if (type === 'string') return TEXT_EXAMPLES[String(format)] ?? '…';
  return type === 'object' ? {} : null;
}

const TEXT_EXAMPLES: Readonly<Record<string, string>> = {
  uuid: '019a86b2-5c3e-7d41-9f0a-3b1c2d4e5f60',
  uri: 'https://example.kz/order/42',
  'date-time': '2026-11-15T04:30:00.000Z',
};
