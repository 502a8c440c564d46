import { VERSION } from '../version.ts';
import type { Call, Command, Report } from './grammar/command.ts';

/** The help for all commands, or for one. */
export function helpReport(
  commands: readonly Command[],
  { lang, texts }: Pick<Call, 'lang' | 'texts'>,
): Report {
  const facts = commands.map((command) => ({
    command: command.name,
    usage: usageOf(command),
    summary: command.summary[lang],
  }));
  const described = commands.flatMap((command) => [
    `  ${usageOf(command)}`,
    `      ${command.summary[lang]}`,
  ]);
  return {
    facts: { version: VERSION, commands: facts },
    lines: [
      `zhiber ${VERSION}`,
      '',
      `${texts.commands}:`,
      ...described,
      '',
      texts.jsonNote,
      texts.settingsNote,
    ],
  };
}

export function usageOf(command: Command): string {
  return `zhiber ${command.name} ${command.usage}`.trimEnd();
}

export function versionReport(): Report {
  return { facts: { version: VERSION }, lines: [VERSION] };
}
