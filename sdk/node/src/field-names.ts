/** `short_url` in the API is `shortUrl` in this client, in types and in values. */
type Camel<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

export type CamelFields<Fields> = { [Name in keyof Fields as Camel<Name>]: Fields[Name] };

/** Optional fields may also be given as undefined, which JSON leaves out. */
export type UndefinedAllowed<Fields> = {
  [Name in keyof Fields]: object extends Pick<Fields, Name>
    ? Fields[Name] | undefined
    : Fields[Name];
};

export function toCamelFields(fields: Record<string, unknown>): Record<string, unknown> {
  return renameFields(fields, (name) =>
    name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
  );
}

export function toSnakeFields(fields: Record<string, unknown>): Record<string, unknown> {
  return renameFields(fields, (name) =>
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
}

function renameFields(fields: Record<string, unknown>, rename: (name: string) => string) {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [rename(name), value]));
}
