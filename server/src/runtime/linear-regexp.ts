/**
 * Regular expressions that are written by an operator and run on text from outside. JavaScript's own
 * engine backtracks, so a careless pattern could stop the process. RE2 takes time in proportion to
 * the text, whatever the pattern is; it has no look-around and no references to groups.
 */
import { RE2JS, RE2JSException } from 're2js';

export type LinearRegExp = {
  /** The names of its groups. */
  readonly groups: ReadonlySet<string>;
  /** The named groups of the first match; undefined when there is none. */
  exec(text: string): Readonly<Record<string, string>> | undefined;
};

/** The message completes a sentence that begins with where the pattern stands. */
export class BadPattern extends Error {}

const PATTERN_LENGTH_MAX = 500;
/** Bounds the time per character, and what `{1,400}` grows to. */
const INSTRUCTIONS_MAX = 1_000;

export function compileRegExp(pattern: string): LinearRegExp {
  if (pattern.length > PATTERN_LENGTH_MAX) {
    throw new BadPattern(`should have at most ${PATTERN_LENGTH_MAX} characters`);
  }
  const compiled = compile(pattern);
  if (compiled.programSize() > INSTRUCTIONS_MAX) throw new BadPattern('repeats too much');
  const names = Object.keys(compiled.namedGroups());
  return {
    groups: new Set(names),
    exec(text) {
      const matcher = compiled.matcher(text);
      if (!matcher.find()) return undefined;
      const groups = names.map((name) => [name, matcher.group(name)] as const);
      return Object.fromEntries(
        groups.filter((group): group is [string, string] => group[1] !== null),
      );
    },
  };
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new BadPattern(`cannot be used: ${error.message.replace('error parsing regexp: ', '')}`);
  }
}
