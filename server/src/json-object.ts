/** JSON from outside, whose fields may hold anything. */
export type JsonObject = Record<string, unknown>;

/** The value as an object; undefined when it is not one. */
export function asObject(value: unknown): JsonObject | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonObject) : undefined;
}

/** The objects in a list; everything else is skipped. */
export function objectsIn(value: unknown): JsonObject[] {
  const items: unknown[] = Array.isArray(value) ? value : [];
  return items.map(asObject).filter((item) => item !== undefined);
}

/** Parses a JSON object; undefined when the text is anything else. */
export function readObject(text: string): JsonObject | undefined {
  return asObject(parse(text));
}

/** Parses a JSON list; empty when the text is anything else. */
export function readList(text: string): readonly unknown[] {
  const list = parse(text);
  return Array.isArray(list) ? list : [];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
