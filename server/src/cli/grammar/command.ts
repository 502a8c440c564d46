import type { Given } from './arguments.ts';
import type { Env, Lang } from './language.ts';
import { TEXTS, type Texts } from './texts.ts';

/**
 * One command of `zhiber`. It reads what it was given, does its work, and reports; it prints
 * nothing.
 */
export type Command = {
  /** The words that call it, such as `key create`. */
  name: string;
  /** What follows the name, as `help` shows it. */
  usage: string;
  summary: Readonly<Record<Lang, string>>;
  /** Its options besides --json and --help. */
  options?: Readonly<Record<string, 'text' | 'switch'>>;
  /** The names of its operands; every one is required. */
  operands?: readonly string[];
  run(call: Call): Promise<Report | number>;
};

export type Call = { given: Given; env: Env; lang: Lang; texts: Texts; isJson: boolean };

/**
 * What came of a command: facts for programs, lines for people. `serve` prints by itself and gives
 * a number.
 */
export type Report = { facts: object; lines: readonly string[]; exitCode?: number };

/** The command cannot do what it was asked; the text says why, in the language of the terminal. */
export class Refusal extends Error {
  readonly say: (texts: Texts) => string;

  constructor(say: (texts: Texts) => string) {
    super(say(TEXTS.en));
    this.say = say;
  }
}

/** The command was called the wrong way, which shows without looking at any data. */
export class UsageError extends Refusal {}
