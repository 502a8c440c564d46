export type Json = Record<string, unknown>;

/** The JSON object in a body; undefined when there is none. */
export function readJson(body: Buffer): Json | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

export function readForm(body: Buffer): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(body.toString()));
}
