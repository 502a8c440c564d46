/**
 * Reads values of a provider file. What is wrong is added to the mistakes with its path, and reading
 * goes on, so that all mistakes are reported at once.
 */

export type FileValue = { value: unknown; path: string; mistakes: string[] };

/** Always undefined, for `return report(…)`. */
export function report({ path, mistakes }: FileValue, problem: string): undefined {
  mistakes.push(`${path === '' ? 'the file' : path}: ${problem}`);
}

export function isGiven({ value }: FileValue): boolean {
  return value !== undefined;
}

/** The known members of an object, given or not; unknown ones are mistakes. */
export function membersOf<Name extends string>(
  item: FileValue,
  names: readonly Name[],
): Record<Name, FileValue> | undefined {
  const entries = entriesOf(item);
  if (entries === undefined) return undefined;
  const given = new Map(entries);
  for (const [name, member] of entries) {
    if (!(names as readonly string[]).includes(name)) {
      report(member, `is not known here; known are ${names.join(', ')}`);
    }
  }
  const members = names.map((name) => [name, given.get(name) ?? memberOf(item, name, undefined)]);
  return Object.fromEntries(members) as Record<Name, FileValue>;
}

/** The members of an object whose names are free. */
export function entriesOf(item: FileValue): [string, FileValue][] | undefined {
  const { value } = item;
  if (value === undefined) return report(item, 'should be given');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return report(item, 'should be an object: {…}');
  }
  return Object.entries(value).map(([name, one]) => [name, memberOf(item, name, one)]);
}

function memberOf({ path, mistakes }: FileValue, name: string, value: unknown): FileValue {
  const isWord = /^[A-Za-z_]\w*$/.test(name);
  const step = isWord ? `${path === '' ? '' : '.'}${name}` : `[${JSON.stringify(name)}]`;
  return { value, path: path + step, mistakes };
}

export function itemsOf(item: FileValue): FileValue[] | undefined {
  const { value, path, mistakes } = item;
  if (!Array.isArray(value)) return report(item, 'should be a list: […]');
  if (value.length === 0) return report(item, 'should not be empty');
  return value.map((one, index) => ({ value: one, path: `${path}[${index}]`, mistakes }));
}

export function readText(item: FileValue): string | undefined {
  const { value } = item;
  if (value === undefined) return report(item, 'should be given');
  if (typeof value !== 'string' || value === '') return report(item, 'should be a text: "…"');
  return value;
}

/** Lines may be written one by one: JSON has no texts of several lines. */
export function readLines(item: FileValue): string | undefined {
  if (!Array.isArray(item.value)) return readText(item);
  const lines = itemsOf(item)?.map(readText);
  return lines?.every((line) => line !== undefined) ? lines.join('\n') : undefined;
}

export function readMatching(
  item: FileValue,
  pattern: RegExp,
  because: string,
): string | undefined {
  const text = readText(item);
  if (text === undefined || pattern.test(text)) return text;
  return report(item, `${because}, not ${JSON.stringify(text)}`);
}

export function readWord<Word extends string>(
  item: FileValue,
  words: readonly Word[],
): Word | undefined {
  const { value } = item;
  if (value === undefined) return report(item, `should be given: ${listOf(words)}`);
  const found = words.find((word) => word === value);
  return found ?? report(item, `should be ${listOf(words)}, not ${JSON.stringify(value)}`);
}

export function listOf(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}

export function readInteger(
  item: FileValue,
  { min, max }: { min: number; max: number },
): number | undefined {
  const { value } = item;
  const isRight = Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
  return isRight ? Number(value) : report(item, `should be a whole number from ${min} to ${max}`);
}

export function readFlag(item: FileValue): boolean {
  if (item.value === undefined || item.value === false) return false;
  if (item.value !== true) report(item, 'should be true or false');
  return item.value === true;
}

/** Reads a value that may be left out. */
export function optional<Value>(
  item: FileValue,
  read: (item: FileValue) => Value | undefined,
): Value | undefined {
  return isGiven(item) ? read(item) : undefined;
}
