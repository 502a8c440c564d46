/** Writes `src/api-types.ts` from the OpenAPI description: `npm run api-types`. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as events from '@zhiber/contract/api/events.ts';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { describeApi } from '../../server/src/http/api/openapi.ts';

export const API_TYPES_FILE = path.join(import.meta.dirname, 'src/api-types.ts');

const HEADING =
  '/** Generated from the OpenAPI description by `npm run api-types`; not edited by hand. */\n';

/** The schemas alone: the client knows the paths, and their errors are one class of fields. */
export async function createApiTypes(): Promise<string> {
  const { openapi, info, components } = describeApi('https://zhiber.kz') as {
    openapi: string;
    info: object;
    components: { schemas: Record<string, object> };
  };
  const schemas = { ...components.schemas, EventData: describeEvents() };
  // A copy without the marks of TypeBox, as `/api/openapi.json` has it.
  const description = JSON.parse(
    JSON.stringify({ openapi, info, paths: {}, components: { schemas } }),
  );
  return HEADING + astToString(await openapiTS(description, { transform: toOpenUnion }));
}

/** A string with known values that may become more: editors offer those, and any other is accepted. */
function toOpenUnion(schema: object): ts.TypeNode | undefined {
  const known = (schema as { 'x-extensible-enum'?: string[] })['x-extensible-enum'];
  if (known === undefined) return undefined;
  const { factory } = ts;
  const anyOther = factory.createIntersectionTypeNode([
    factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
    factory.createTypeLiteralNode([]),
  ]);
  const literals = known.map((value) =>
    factory.createLiteralTypeNode(factory.createStringLiteral(value)),
  );
  return factory.createUnionTypeNode([...literals, anyOther]);
}

const OPEN = { type: 'object', additionalProperties: true };

/** What the events of webhooks carry, by type. */
function describeEvents(): object {
  const known: Partial<Record<string, object>> =
    'EVENT_DATA' in events ? Object(events.EVENT_DATA) : {};
  const dataOf = (type: string) =>
    known[type] ?? (type.startsWith('message.') ? events.MessageEvent : OPEN);
  const properties = events.EVENT_TYPES.map((type) => [type, dataOf(type)]);
  const required = [...events.EVENT_TYPES];
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

if (import.meta.main) writeFileSync(API_TYPES_FILE, await createApiTypes());
