/** What providers say, as far as it has the form it should have. */
export type JsonObject = Record<string, unknown>;

/** A value from outside as an object; undefined when it is none. */
export function asObject(value: unknown): JsonObject | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonObject) : undefined;
}

/** The objects in a list from outside. */
export function objectsIn(value: unknown): JsonObject[] {
  const items: unknown[] = Array.isArray(value) ? value : [];
  return items.map(asObject).filter((item) => item !== undefined);
}

/** The object in a text; undefined when it is not JSON, or no object. */
export function readObject(text: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}
