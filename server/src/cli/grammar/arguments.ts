import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { type Command, type Given, UsageError } from './command.ts';

/** Parses the arguments after a command's name. Throws UsageError for unknown ones. */
export function readArguments(
  command: Pick<Command, 'options' | 'operands' | 'optionalOperand'>,
  args: readonly string[],
): Given {
  const options: ParseArgsOptionsConfig = {};
  for (const [name, kind] of Object.entries(command.options ?? {})) {
    options[name] = { type: kind === 'text' ? 'string' : 'boolean' };
  }
  const { values, positionals } = parse(joinNegative(args, options), options);
  checkOperands(command, positionals);
  return {
    operands: positionals,
    text: (option) => values[option] as string | undefined,
    isOn: (option) => values[option] === true,
  };
}

function parse(args: string[], options: ParseArgsOptionsConfig) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    const option = /'(-[^'\s]+)/.exec(message)?.[1] ?? '';
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
      throw new UsageError((texts) => texts.unknownOption(option));
    }
    if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') {
      throw new UsageError((texts) => texts.optionWithoutValue(option));
    }
    throw error;
  }
}

/** `--chat -100500`: Telegram's group ids begin with a dash, which would be parsed as an option. */
function joinNegative(args: readonly string[], options: ParseArgsOptionsConfig): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const before = joined.at(-1) ?? '';
    const isValue = /^-\d+$/.test(arg) && options[before.slice(2)]?.type === 'string';
    if (isValue) joined[joined.length - 1] = `${before}=${arg}`;
    else joined.push(arg);
  }
  return joined;
}

function checkOperands(
  { operands: expected = [], optionalOperand }: Parameters<typeof readArguments>[0],
  operands: readonly string[],
): void {
  const missing = expected[operands.length];
  if (missing !== undefined) throw new UsageError((texts) => texts.missing(missing));
  const extra = operands[expected.length + (optionalOperand === undefined ? 0 : 1)];
  if (extra !== undefined) throw new UsageError((texts) => texts.unexpected(extra));
}
