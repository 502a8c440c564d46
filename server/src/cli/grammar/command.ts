import type { Env, Lang } from './language.ts';
import { TEXTS, type Texts } from './texts.ts';

/** One command of `zhiber`. It returns a report and prints nothing itself. */
export type Command = {
  /** The words that select it, such as `key create`. */
  name: string;
  /** The arguments after the name, as `help` shows them. */
  usage: string;
  summary: Readonly<Record<Lang, string>>;
  /** Its options besides --json and --help. */
  options?: Readonly<Record<string, 'text' | 'switch'>>;
  /** The names of its operands that are required. */
  operands?: readonly string[];
  /** The name of one more operand, which may be left out. */
  optionalOperand?: string;
  run(call: Call): Promise<Report | number>;
};

/** The parsed arguments of one command, not validated yet. */
export type Given = {
  operands: readonly string[];
  text(option: string): string | undefined;
  isOn(option: string): boolean;
};

export type Call = { given: Given; env: Env; lang: Lang; texts: Texts; isJson: boolean };

/**
 * The result of a command: facts for --json, lines for people. `serve` prints its output itself and
 * returns an exit code.
 */
export type Report = { facts: object; lines: readonly string[]; exitCode?: number };

/** The command cannot be carried out; the text gives the reason in the terminal's language. */
export class Refusal extends Error {
  readonly say: (texts: Texts) => string;

  constructor(say: (texts: Texts) => string) {
    super(say(TEXTS.en));
    this.say = say;
  }
}

/** The arguments are wrong, which is found before any data is read. */
export class UsageError extends Refusal {}
