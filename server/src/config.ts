import path from 'node:path';
import { TOPUP_MIN_DEFAULT } from '@zhiber/contract/api/prices.ts';
import {
  addresses,
  countries,
  databaseAddress,
  hostName,
  integerIn,
  LOG_LEVELS,
  type LogLevel,
  logLevel,
  longEnough,
  Wrong,
  webAddress,
} from './config-values.ts';

/** How this installation is set up. Made once at the start; nothing reads the environment later. */
export type Config = {
  /** 0 asks the system for any free port. */
  port: number;
  /** Whether somebody chose the port; only a port nobody chose may be replaced when it is busy. */
  portWasSet: boolean;
  host: string;
  /** Undefined: derived from host and port once it listens. */
  publicUrl: string | undefined;
  /** Undefined: the public address followed by /s. */
  shortLinkBase: string | undefined;
  dataDir: string;
  /** Undefined: the embedded database in the data folder. */
  databaseUrl: string | undefined;
  /** Undefined: the one kept in the data folder. */
  secret: string | undefined;
  smsCountries: string[];
  topupMin: number;
  apiRatePerMinute: number | undefined;
  trustProxy: string[];
  logLevel: LogLevel;
};

export type SettingName =
  | 'PORT'
  | 'HOST'
  | 'PUBLIC_URL'
  | 'SHORT_LINK_BASE'
  | 'DATA_DIR'
  | 'DATABASE_URL'
  | 'SECRET'
  | 'SMS_COUNTRIES'
  | 'TOPUP_MIN'
  | 'API_RATE_PER_MINUTE'
  | 'TRUST_PROXY'
  | 'LOG_LEVEL';

/** One setting, described once: the reader, `zhiber doctor` and `.env.example` all follow it. */
export type Setting = {
  name: SettingName;
  sentence: string;
  /** As it would be written; undefined when there is no default value to write. */
  default?: string;
  /** Never shown, and not accepted on the command line, where every user of the machine sees it. */
  isSecret?: true;
};

export const SETTINGS: readonly Setting[] = [
  {
    name: 'PORT',
    sentence: 'The port to listen on; when it is not set and 3000 is busy, the next free one.',
    default: '3000',
  },
  {
    name: 'HOST',
    sentence: 'The address to listen on; 0.0.0.0 or :: lets other machines in, localhost does not.',
    default: 'localhost',
  },
  { name: 'PUBLIC_URL', sentence: 'The address people reach this server at, from outside.' },
  {
    name: 'SHORT_LINK_BASE',
    sentence: 'What short links begin with; PUBLIC_URL followed by /s when not set.',
  },
  {
    name: 'DATA_DIR',
    sentence: 'The folder of the embedded database and the generated secret.',
    default: './data',
  },
  {
    name: 'DATABASE_URL',
    sentence: 'A PostgreSQL 15 or newer to use instead of the embedded one.',
    isSecret: true,
  },
  {
    name: 'SECRET',
    sentence:
      'At least 32 characters that protect codes and keys; made in DATA_DIR when not set. ' +
      'Several servers on one database need the same one.',
    isSecret: true,
  },
  {
    name: 'SMS_COUNTRIES',
    sentence: 'The countries an SMS may go to, as two-letter codes with commas between.',
    default: 'KZ',
  },
  {
    name: 'TOPUP_MIN',
    sentence: 'The smallest top-up in tokens; one token is one tenge.',
    default: String(TOPUP_MIN_DEFAULT),
  },
  {
    name: 'API_RATE_PER_MINUTE',
    sentence: 'How many requests a key may make in a minute; the built-in limits when not set.',
  },
  {
    name: 'TRUST_PROXY',
    sentence:
      'The proxies whose X-Forwarded-For is believed: addresses or CIDR ranges with commas ' +
      'between; nobody when not set.',
  },
  {
    name: 'LOG_LEVEL',
    sentence: `How much is logged: ${LOG_LEVELS.join(', ')}.`,
    default: 'info',
  },
];

type Env = Readonly<Record<string, string | undefined>>;

/** One or more settings are wrong; the message lists all of them. */
export class BadConfig extends Error {
  readonly problems: string[];

  constructor(problems: string[]) {
    super(`These settings are wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'BadConfig';
    this.problems = problems;
  }
}

/**
 * Reads the settings from the environment, and from flags of the same names (`--data-dir here`),
 * which win. Throws BadConfig with every problem at once. Flags it does not know are not its
 * concern.
 */
export function readConfig(env: Env, argv: readonly string[] = []): Config {
  const problems: string[] = [];
  const given = givenValues(env, argv);
  const text = (name: SettingName) => given.get(name)?.value ?? defaultOf(name);
  const parsed = <Value>(name: SettingName, parse: (text: string) => Value | Wrong) => {
    const written = text(name);
    if (written === undefined) return undefined;
    const value = parse(written);
    if (value instanceof Wrong) problems.push(`${name}: ${value.because}`);
    return value as Value;
  };
  const config = {
    port: parsed('PORT', integerIn(0, 65_535)) as number,
    portWasSet: given.has('PORT'),
    host: parsed('HOST', hostName) as string,
    publicUrl: parsed('PUBLIC_URL', webAddress),
    shortLinkBase: parsed('SHORT_LINK_BASE', webAddress),
    dataDir: path.resolve(text('DATA_DIR') as string),
    databaseUrl: parsed('DATABASE_URL', databaseAddress),
    secret: parsed('SECRET', longEnough),
    smsCountries: parsed('SMS_COUNTRIES', countries) as string[],
    topupMin: parsed('TOPUP_MIN', integerIn(1, 1_000_000_000)) as number,
    apiRatePerMinute: parsed('API_RATE_PER_MINUTE', integerIn(1, 1_000_000)),
    trustProxy: parsed('TRUST_PROXY', addresses) ?? [],
    logLevel: parsed('LOG_LEVEL', logLevel) as LogLevel,
  };
  if (problems.length > 0) throw new BadConfig(problems);
  return config;
}

export type SettingSource = 'flag' | 'environment' | 'default' | 'not set';

/**
 * Every setting with its value and where it comes from, for `zhiber doctor`; secrets are hidden.
 */
export function describeSettings(env: Env, argv: readonly string[] = []) {
  const given = givenValues(env, argv);
  return SETTINGS.map((setting) => {
    const found = given.get(setting.name);
    const value = found?.value ?? setting.default;
    const fallback: SettingSource = value === undefined ? 'not set' : 'default';
    return {
      name: setting.name,
      sentence: setting.sentence,
      value: setting.isSecret && value !== undefined ? '(hidden)' : value,
      source: found?.source ?? fallback,
    };
  });
}

function defaultOf(name: SettingName): string | undefined {
  return SETTINGS.find((setting) => setting.name === name)?.default;
}

/** What somebody set; an empty value counts as not set, as `.env` files are often left that way. */
function givenValues(env: Env, argv: readonly string[]) {
  const given = new Map<SettingName, { value: string; source: SettingSource }>();
  for (const setting of SETTINGS) {
    const flag = setting.isSecret ? undefined : flagValue(setting.name, argv);
    const value = (flag ?? env[setting.name])?.trim();
    if (!value) continue;
    given.set(setting.name, { value, source: flag === undefined ? 'environment' : 'flag' });
  }
  return given;
}

function flagValue(name: SettingName, argv: readonly string[]): string | undefined {
  const flag = `--${name.toLowerCase().replaceAll('_', '-')}`;
  const at = argv.findLastIndex((arg) => arg === flag || arg.startsWith(`${flag}=`));
  const arg = argv[at];
  return arg === flag ? (argv[at + 1] ?? '') : arg?.slice(flag.length + 1);
}

/** Where this machine itself reaches a server, whatever address the world knows it by. */
export function localUrl(host: string, port: number): string {
  const isLocal = ['0.0.0.0', '::', '127.0.0.1', '::1', 'localhost'].includes(host);
  const name = host.includes(':') ? `[${host}]` : host;
  return `http://${isLocal ? 'localhost' : name}:${port}`;
}
