import { COMMANDS } from './commands.ts';
import { sentenceOf } from './failures.ts';
import { readArguments } from './grammar/arguments.ts';
import { type Command, Refusal, type Report, UsageError } from './grammar/command.ts';
import { type Env, languageOf } from './grammar/language.ts';
import { TEXTS } from './grammar/texts.ts';
import { helpReport, usageOf, versionReport } from './help.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/** Runs one `zhiber` command, prints its result and resolves with the exit code. Never rejects. */
export async function runCommand(args: readonly string[], env: Env): Promise<number> {
  // --json may stand anywhere, also before the name of the command.
  const isJson = args.includes('--json');
  const argv = args.filter((arg) => arg !== '--json');
  const lang = languageOf(env);
  const texts = TEXTS[lang];
  const command = findCommand(argv);
  try {
    const general = generalReport(argv, command, { lang, texts });
    if (general !== undefined) return print(general, isJson);
    if (command === undefined) throw unknownCommand(argv);
    const given = readArguments(command, argumentsAfter(argv, command));
    const result = await command.run({ given, env, lang, texts, isJson });
    return typeof result === 'number' ? result : print(result, isJson);
  } catch (error) {
    const sentence = error instanceof Refusal ? error.say(texts) : sentenceOf(error);
    const isUsage = error instanceof UsageError;
    if (isJson) console.log(JSON.stringify({ error: sentence ?? (error as Error).message }));
    else if (sentence !== undefined) console.error(sentence);
    if (sentence === undefined) console.error(error);
    if (isUsage && command !== undefined && !isJson) {
      console.error(`${texts.usage}: ${usageOf(command)}`);
    }
    return isUsage ? EXIT_USAGE : EXIT_FAILED;
  }
}

/** The command whose words come first; `serve` when there are no words. */
function findCommand(argv: readonly string[]): Command | undefined {
  const words = leadingWords(argv);
  if (words.length === 0) return COMMANDS.find(({ name }) => name === 'serve');
  return COMMANDS.find(({ name }) => name.split(' ').every((word, at) => words[at] === word));
}

/** The words before the first option, without a leading `help`. */
function leadingWords(argv: readonly string[]): string[] {
  const first = argv.findIndex((arg) => arg.startsWith('-'));
  const words = first < 0 ? [...argv] : argv.slice(0, first);
  return words[0] === 'help' ? words.slice(1) : words;
}

function argumentsAfter(argv: readonly string[], command: Command): readonly string[] {
  return leadingWords(argv).length === 0 ? argv : argv.slice(command.name.split(' ').length);
}

/** Help and version, which work with or without a command. */
function generalReport(
  argv: readonly string[],
  command: Command | undefined,
  output: Parameters<typeof helpReport>[1],
): Report | undefined {
  if (argv[0] === '--version' || argv[0] === '-v') return versionReport();
  const isHelp = argv[0] === 'help' || argv.includes('--help') || argv.includes('-h');
  if (!isHelp) return undefined;
  if (leadingWords(argv).length === 0) return helpReport(COMMANDS, output);
  return command === undefined ? undefined : helpReport([command], output);
}

function unknownCommand(argv: readonly string[]): UsageError {
  const words = leadingWords(argv);
  const similar = COMMANDS.map(({ name }) => name).filter((name) =>
    name.startsWith(`${words[0]} `),
  );
  return new UsageError((texts) => texts.unknownCommand(words.join(' '), similar));
}

function print(report: Report, isJson: boolean): number {
  console.log(isJson ? JSON.stringify(report.facts) : report.lines.join('\n'));
  return report.exitCode ?? 0;
}
