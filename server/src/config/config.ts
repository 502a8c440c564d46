import { readFileSync } from 'node:fs';
import path from 'node:path';
import { WEBHOOK_LOG_DAYS } from '@zhiber/contract/api/events.ts';
import { REQUEST_LOG_DAYS } from '@zhiber/contract/api/limits.ts';
import { LOG_LEVELS, type LogLevel } from '../log.ts';
import type { TracingSettings } from '../runtime/tracer.ts';
import { type ArchiveConfig, readArchive } from './archive-settings.ts';
import { PAYMENT_BLOCKS, type PaymentConfig, readPayments } from './payment-settings.ts';
import { accountsOf, ORDER_SETTINGS, PROVIDER_BLOCKS } from './provider-settings.ts';
import { FILES_SETTING, type ReadFile, SECRET_PREFIX } from './read-provider-files.ts';
import { type ProviderConfig, readProviders } from './read-providers.ts';
import { SETTINGS, type Setting, type SettingName } from './settings.ts';
import { readSmsRoutes, SMS_ROUTINGS, type SmsRoute, type SmsRouting } from './sms-routes.ts';
import {
  addresses,
  contactAddress,
  countries,
  databaseAddress,
  filePaths,
  GUARD_MODES,
  type GuardMode,
  headerList,
  hostName,
  integerIn,
  longEnough,
  mailAddress,
  mailServer,
  oneOf,
  type ProcessRole,
  ROLES,
  SANDBOX_REACHES,
  SECOND_FACTOR_RULES,
  type SecondFactorRule,
  shareFrom0To1,
  Wrong,
  webAddress,
} from './values.ts';

/**
 * The configuration of this installation. Read once at the start; nothing reads the environment
 * later.
 */
export type Config = {
  /** 0 asks the system for a free port. */
  port: number;
  /** Whether the port was set; only a default port may be replaced when it is busy. */
  isPortSet: boolean;
  host: string;
  /** Undefined: derived from host and port once the server listens. */
  publicUrl: string | undefined;
  /** Undefined: the public address followed by /s. */
  shortLinkBase: string | undefined;
  /** In this mode the data was born, or will be. */
  mode: Mode;
  /** Whether a sandbox answers to others than the people at this machine. */
  isSandboxPublic: boolean;
  dataDir: string;
  /** Undefined: the embedded database in the data folder. */
  databaseUrl: string | undefined;
  /** The statement timeout. */
  /** A replica; undefined: everything is read from the primary. */
  /** Undefined: DATABASE_URL leads to the database itself. */
  databaseDirectUrl: string | undefined;
  databaseReadUrl: string | undefined;
  databaseTimeoutMs: number;
  /** Whether a start may change the schema of the database. */
  isAutoMigrate: boolean;
  /** Undefined: the one kept in the data folder. */
  secret: string | undefined;
  smsCountries: string[];
  /** Which of several SMS providers is tried first. */
  smsRouting: SmsRouting;
  smsRoutes: SmsRoute[];
  /** Whether companies pay for each part of an SMS. */
  isSmsPricedPerPart: boolean;
  role: ProcessRole;
  /** How many processes answer on the port. */
  processes: number;
  /** What is done about codes that hardly anybody verifies. */
  pumpingGuard: GuardMode;
  topupMin: number;
  /** What one operator may correct by in a day without a second one. */
  correctionLimit: number;
  apiRatePerMinute: number | undefined;
  signInCodesPerHour: number;
  /** Who cannot use the cabinet without a second factor, whatever the company says. */
  requireSecondFactor: SecondFactorRule;
  /** Undefined: no e-mail, except in a sandbox. */
  mail: { server: string; from: string } | undefined;
  /** A URI for reports of security problems. Undefined: there is no security.txt. */
  securityContact: string | undefined;
  /** A URI where customers ask for help. */
  supportContact: string | undefined;
  /** Files of the operator; undefined: the site has no such page. */
  termsFile: string | undefined;
  privacyFile: string | undefined;
  trustProxy: string[];
  /** Files; when there are none, the database that comes with the service. */
  geoDatabases: string[];
  /** How long the data of growing tables is kept. */
  keepDays: KeepDays;
  /** Undefined: no backup is made every night. */
  backupDir: string | undefined;
  backupKeepDays: number;
  /** Where months go before they are deleted; undefined: nowhere. */
  archive: ArchiveConfig | undefined;
  logLevel: LogLevel;
  /** Undefined: no port for the operator. */
  opsPort: number | undefined;
  opsHost: string;
  /** Undefined: nothing is traced. */
  traces: TracingSettings | undefined;
  /** Empty in a sandbox. */
  providers: ProviderConfig[];
  payments: PaymentConfig;
};

/** Without a provider this installation is a sandbox: messages end in the virtual phone. */
export type Mode = 'sandbox' | 'live';

export type KeepDays = {
  messages: number;
  clicks: number;
  requestLog: number;
  providerIds: number;
  guardDecisions: number;
  pageCounts: number;
  broadcastRecipients: number;
  securityEvents: number;
  statusDays: number;
  webhookLog: number;
};

/** The pages of the cabinet look back a month and a day, in Almaty time. */
const MESSAGE_DAYS_MIN = 35;
const DAYS_MAX = 36_500;
/** More than the embedded database has connections for. */
const PROCESSES_MAX = 16;
/** What the status page shows. */
const STATUS_DAYS_MIN = 90;

/** The settings of the service and of every provider, in the order of `.env.example`. */
export const ALL_SETTINGS: readonly Setting[] = [
  ...SETTINGS,
  ...ORDER_SETTINGS,
  FILES_SETTING,
  ...PROVIDER_BLOCKS.flatMap((block) => block.settings),
  ...PAYMENT_BLOCKS.flatMap((block) => block.settings),
];

/** The same settings for further accounts of a provider. */
const ACCOUNT_SETTINGS: readonly Setting[] = PROVIDER_BLOCKS.flatMap((block) =>
  accountsOf(block)
    .slice(1)
    .flatMap(({ settings }) => settings),
);

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

const readTextFile: ReadFile = (file) => readFileSync(file, 'utf8');

/**
 * Reads the settings from the environment, and the files that describe providers. Throws BadConfig
 * with every problem at once.
 */
export function readConfig(env: Env, readFile = readTextFile): Config {
  const problems: string[] = [];
  const text = (name: SettingName) => givenIn(env, name) ?? defaultOf(name);
  const parsed = <Value>(name: SettingName, parse: (text: string) => Value | Wrong) => {
    const written = text(name);
    if (written === undefined) return undefined;
    const value = parse(written);
    if (value instanceof Wrong) problems.push(`${name}: ${value.because}`);
    return value as Value;
  };
  const readTraces = (): TracingSettings | undefined => {
    const endpoint = parsed('OTEL_EXPORTER_OTLP_ENDPOINT', webAddress);
    const headers = parsed('OTEL_EXPORTER_OTLP_HEADERS', headerList) ?? {};
    const ratio = parsed('OTEL_TRACES_SAMPLER_ARG', shareFrom0To1) as number;
    const serviceName = text('OTEL_SERVICE_NAME') as string;
    return endpoint === undefined ? undefined : { endpoint, headers, serviceName, ratio };
  };
  const providers = readProviders((name) => givenIn(env, name), problems, readFile);
  const mode: Mode = providers.length === 0 ? 'sandbox' : 'live';
  const keepMessages = parsed(
    'KEEP_MESSAGES_DAYS',
    integerIn(MESSAGE_DAYS_MIN, DAYS_MAX),
  ) as number;
  const config = {
    port: parsed('PORT', integerIn(0, 65_535)) as number,
    isPortSet: givenIn(env, 'PORT') !== undefined,
    host: parsed('HOST', hostName) as string,
    publicUrl: parsed('PUBLIC_URL', webAddress),
    shortLinkBase: parsed('SHORT_LINK_BASE', webAddress),
    mode,
    isSandboxPublic: parsed('SANDBOX', oneOf(SANDBOX_REACHES)) === 'public',
    dataDir: path.resolve(text('DATA_DIR') ?? `data/${mode}`),
    databaseUrl: parsed('DATABASE_URL', databaseAddress),
    databaseDirectUrl: parsed('DATABASE_DIRECT_URL', databaseAddress),
    databaseReadUrl: parsed('DATABASE_READ_URL', databaseAddress),
    databaseTimeoutMs: parsed('DATABASE_TIMEOUT_MS', integerIn(1_500, 60_000)) as number,
    isAutoMigrate: parsed('AUTO_MIGRATE', oneOf(['yes', 'no'])) === 'yes',
    secret: parsed('SECRET', longEnough),
    smsCountries: parsed('SMS_COUNTRIES', countries) as string[],
    smsRouting: parsed('SMS_ROUTING', oneOf(SMS_ROUTINGS)) as SmsRouting,
    smsRoutes: readSmsRoutes(text('SMS_ROUTES'), providers, problems),
    isSmsPricedPerPart: parsed('SMS_PRICE_PER_PART', oneOf(['yes', 'no'])) === 'yes',
    role: parsed('ROLE', oneOf(ROLES)) as ProcessRole,
    processes: parsed('PROCESSES', integerIn(1, PROCESSES_MAX)) as number,
    pumpingGuard: parsed('PUMPING_GUARD', oneOf(GUARD_MODES)) as GuardMode,
    topupMin: parsed('TOPUP_MIN', integerIn(1, 1_000_000_000)) as number,
    correctionLimit: parsed('CORRECTION_LIMIT', integerIn(0, 1_000_000_000)) as number,
    apiRatePerMinute: parsed('API_RATE_PER_MINUTE', integerIn(1, 1_000_000)),
    signInCodesPerHour: parsed('SIGN_IN_CODES_PER_HOUR', integerIn(1, 10_000)) as number,
    requireSecondFactor: parsed(
      'REQUIRE_SECOND_FACTOR',
      oneOf(SECOND_FACTOR_RULES),
    ) as SecondFactorRule,
    mail: readMail(parsed('SMTP_URL', mailServer), parsed('MAIL_FROM', mailAddress), problems),
    securityContact: parsed('SECURITY_CONTACT', contactAddress),
    supportContact: parsed('SUPPORT_CONTACT', contactAddress),
    termsFile: parsed('TERMS_FILE', path.resolve),
    privacyFile: parsed('PRIVACY_FILE', path.resolve),
    trustProxy: parsed('TRUST_PROXY', addresses) ?? [],
    geoDatabases: parsed('GEO_DATABASE', filePaths) ?? [],
    keepDays: {
      messages: keepMessages,
      clicks: parsed('KEEP_CLICKS_DAYS', integerIn(MESSAGE_DAYS_MIN, DAYS_MAX)) as number,
      requestLog: parsed('KEEP_REQUEST_LOG_DAYS', integerIn(REQUEST_LOG_DAYS, DAYS_MAX)) as number,
      providerIds: parsed('KEEP_PROVIDER_IDS_DAYS', integerIn(1, DAYS_MAX)) as number,
      guardDecisions: parsed('KEEP_GUARD_DECISIONS_DAYS', integerIn(1, DAYS_MAX)) as number,
      pageCounts:
        parsed('KEEP_PAGE_COUNTS_DAYS', integerIn(MESSAGE_DAYS_MIN, DAYS_MAX)) ?? keepMessages,
      broadcastRecipients:
        parsed('KEEP_BROADCAST_RECIPIENTS_DAYS', integerIn(1, DAYS_MAX)) ?? keepMessages,
      securityEvents: parsed('KEEP_SECURITY_EVENTS_DAYS', integerIn(1, DAYS_MAX)) as number,
      statusDays: parsed('KEEP_STATUS_DAYS', integerIn(STATUS_DAYS_MIN, DAYS_MAX)) as number,
      webhookLog: parsed('KEEP_WEBHOOK_LOG_DAYS', integerIn(WEBHOOK_LOG_DAYS, DAYS_MAX)) as number,
    },
    backupDir: parsed('BACKUP_DIR', path.resolve),
    backupKeepDays: parsed('BACKUP_KEEP_DAYS', integerIn(1, DAYS_MAX)) as number,
    archive: readArchive(
      {
        dir: text('ARCHIVE_DIR'),
        url: text('ARCHIVE_URL'),
        endpoint: parsed('ARCHIVE_ENDPOINT', webAddress),
        region: text('ARCHIVE_REGION'),
        keyId: text('ARCHIVE_KEY_ID'),
        secret: text('ARCHIVE_SECRET'),
      },
      problems,
    ),
    logLevel: parsed('LOG_LEVEL', oneOf(LOG_LEVELS)) as LogLevel,
    opsPort: parsed('OPS_PORT', integerIn(0, 65_535)),
    opsHost: parsed('OPS_HOST', hostName) as string,
    traces: readTraces(),
    providers,
    payments: readPayments((name) => givenIn(env, name), problems),
  };
  if (problems.length > 0) throw new BadConfig(problems);
  return config;
}

/** A mail server and a sender address need each other. */
function readMail(
  server: string | undefined,
  from: string | undefined,
  problems: string[],
): Config['mail'] {
  if (server === undefined && from === undefined) return undefined;
  if (server === undefined) problems.push('SMTP_URL: should be set, because MAIL_FROM is');
  else if (from === undefined) problems.push('MAIL_FROM: should be set, because SMTP_URL is');
  else return { server, from };
  return undefined;
}

export type SettingSource = 'environment' | 'default' | 'not set';

/**
 * Every setting with its value and where it comes from, for `zhiber doctor`. Only the length of a
 * secret is shown.
 */
export function describeSettings(env: Env) {
  const secrets = Object.keys(env).filter((name) => name.startsWith(SECRET_PREFIX));
  const settings: readonly Omit<Setting, 'sentence'>[] = [
    ...ALL_SETTINGS,
    ...ACCOUNT_SETTINGS,
    ...secrets.map((name) => ({ name, isSecret: true as const })),
  ];
  return settings.map(({ name, isSecret, default: defaultValue }) => {
    const given = givenIn(env, name);
    const value = given ?? defaultValue;
    const fallback = value === undefined ? 'not set' : 'default';
    const source: SettingSource = given === undefined ? fallback : 'environment';
    return {
      name,
      value: isSecret && value !== undefined ? `•••• (${value.length} chars)` : value,
      source,
    };
  });
}

function defaultOf(name: SettingName): string | undefined {
  return SETTINGS.find((setting) => setting.name === name)?.default;
}

/**
 * The value that was set; an empty one counts as not set, as `.env` files are often left that way.
 */
function givenIn(env: Env, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}

/** The URL of a server from this machine itself, whatever its public address is. */
export function localUrl(host: string, port: number): string {
  const isLocal = ['0.0.0.0', '::', '127.0.0.1', '::1', 'localhost'].includes(host);
  const name = host.includes(':') ? `[${host}]` : host;
  return `http://${isLocal ? 'localhost' : name}:${port}`;
}

/** The path of short links, unless SHORT_LINK_BASE names another. */
export const SHORT_LINK_FOLDER = '/s';

/** The base of short links on a server with this public address. */
export function shortLinkBaseOf(
  { shortLinkBase }: Pick<Config, 'shortLinkBase'>,
  publicUrl: string,
): string {
  return shortLinkBase ?? `${publicUrl}${SHORT_LINK_FOLDER}`;
}
