/** Strings and signs of JSON; everything else does not matter here. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}:]/g;

/**
 * The names that stand twice in one object of a JSON text, with their lines. JSON.parse takes the
 * last of them without a word.
 */
export function findRepeatedNames(json: string): { name: string; line: number }[] {
  const repeated: { name: string; line: number }[] = [];
  const opened: Set<string>[] = [];
  let last: RegExpExecArray | undefined;
  for (const token of json.matchAll(TOKEN)) {
    const [sign] = token;
    if (sign === '{') opened.push(new Set());
    else if (sign === '}') opened.pop();
    else if (sign === ':' && last !== undefined) {
      const name: string = JSON.parse(last[0]);
      const names = opened.at(-1);
      if (names?.has(name)) {
        repeated.push({ name, line: json.slice(0, last.index).split('\n').length });
      }
      names?.add(name);
    }
    last = token;
  }
  return repeated;
}
