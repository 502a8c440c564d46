/** The command line of `npm run simulators`. */
import { parseArgs } from 'node:util';
import { NAMES, type Name, OFFSET_MAX } from './names.ts';

export type Options = {
  names: readonly Name[];
  /** Without a slash at its end. */
  serviceUrl: string;
  /** 0 means any free ports. */
  firstPort: number;
  journalDir: string;
  task: 'start' | 'print settings' | 'print help';
};

/** The command line is invalid; the message is a sentence that says why. */
export class BadOptions extends Error {}

export const HELP = `npm run simulators -- [options]
  --only NAMES     only these simulators, separated by commas: ${NAMES.join(', ')}
  --settings       prints the settings that connect a service to them, for its .env, and starts nothing
  --service URL    the service that they report to (http://localhost:3000)
  --port PORT      the first port; each simulator has a fixed offset from it; 0 for free ports (4001)
  --journal DIR    the folder of their append-only journals (.data/simulators)`;

const OPTIONS = {
  only: { type: 'string', example: 'smsc,smpp' },
  settings: { type: 'boolean' },
  service: { type: 'string', example: 'http://localhost:3000' },
  port: { type: 'string', example: '4001' },
  journal: { type: 'string', example: '.data/simulators' },
  help: { type: 'boolean' },
} as const;

const PORT_MAX = 65_535 - OFFSET_MAX;

export function readOptions(args: readonly string[]): Options {
  const given = readArguments(args);
  const text = (name: keyof typeof OPTIONS) => {
    const value = given.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  const firstPort = readPort(text('port') ?? '4001');
  const isPrinting = given.has('settings');
  if (isPrinting && firstPort === 0) {
    throw new BadOptions('--settings needs fixed ports and cannot be combined with --port 0.');
  }
  return {
    names: readNames(text('only')),
    serviceUrl: readUrl(text('service') ?? 'http://localhost:3000'),
    firstPort,
    journalDir: text('journal') ?? '.data/simulators',
    task: given.has('help') ? 'print help' : isPrinting ? 'print settings' : 'start',
  };
}

function readArguments(args: readonly string[]): ReadonlyMap<string, string | boolean> {
  const { tokens } = parseArgs({
    args: [...args],
    options: OPTIONS,
    strict: false,
    tokens: true,
    allowPositionals: true,
  });
  const given = new Map<string, string | boolean>();
  for (const token of tokens) {
    const written = token.kind === 'option' ? token.rawName : (args[token.index] ?? '');
    const name = token.kind === 'option' ? token.name : '';
    if (token.kind !== 'option' || !Object.hasOwn(OPTIONS, name)) {
      const known = Object.keys(OPTIONS).map((one) => `--${one}`);
      throw new BadOptions(
        `There is no option "${written}"; the options are: ${known.join(', ')}.`,
      );
    }
    given.set(name, readValue(name as keyof typeof OPTIONS, token.value));
  }
  return given;
}

function readValue(name: keyof typeof OPTIONS, value: string | undefined): string | true {
  const option = OPTIONS[name];
  if (option.type === 'boolean') {
    if (value !== undefined) throw new BadOptions(`--${name} takes no value.`);
    return true;
  }
  if (value === undefined || value === '' || value.startsWith('--')) {
    throw new BadOptions(`--${name} needs a value, as in --${name} ${option.example}.`);
  }
  return value;
}

/** In their usual order, whatever the order on the command line. */
function readNames(text: string | undefined): readonly Name[] {
  if (text === undefined) return NAMES;
  const wanted = text.split(',').map((name) => name.trim());
  const unknown = wanted.find((name) => !NAMES.some((known) => known === name));
  if (unknown !== undefined) {
    throw new BadOptions(`There is no simulator "${unknown}"; there are: ${NAMES.join(', ')}.`);
  }
  return NAMES.filter((name) => wanted.includes(name));
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (port < 0 || port > PORT_MAX) {
    throw new BadOptions(`--port should be a number from 0 to ${PORT_MAX}, not "${text}".`);
  }
  return port;
}

function readUrl(text: string): string {
  if (!/^https?:\/\/[^\s?#]+$/.test(text) || !URL.canParse(text)) {
    throw new BadOptions(
      `--service should be an address like http://localhost:3000, not "${text}".`,
    );
  }
  return text.replace(/\/+$/, '');
}
