import { GUARD_DECISION_DAYS, REQUEST_LOG_DAYS } from '@zhiber/contract/api/limits.ts';
import { TOPUP_MIN_DEFAULT } from '@zhiber/contract/api/prices.ts';
import { LOG_LEVELS } from '../log.ts';
import { GUARD_MODES } from './values.ts';

/** The settings of the service itself; those of providers are in provider-settings.ts. */
export type SettingName =
  | 'PORT'
  | 'HOST'
  | 'PUBLIC_URL'
  | 'SHORT_LINK_BASE'
  | 'DATA_DIR'
  | 'DATABASE_URL'
  | 'DATABASE_TIMEOUT_MS'
  | 'SECRET'
  | 'SMS_COUNTRIES'
  | 'PUMPING_GUARD'
  | 'TOPUP_MIN'
  | 'API_RATE_PER_MINUTE'
  | 'SMTP_URL'
  | 'MAIL_FROM'
  | 'TRUST_PROXY'
  | 'KEEP_MESSAGES_DAYS'
  | 'KEEP_CLICKS_DAYS'
  | 'KEEP_REQUEST_LOG_DAYS'
  | 'KEEP_PROVIDER_IDS_DAYS'
  | 'KEEP_GUARD_DECISIONS_DAYS'
  | 'LOG_LEVEL'
  | 'OPS_PORT'
  | 'OPS_HOST';

/** One setting, described once: the reader, `zhiber doctor` and `.env.example` all follow it. */
export type Setting<Name extends string = string> = {
  name: Name;
  sentence: string;
  /** As it would be written; undefined when there is no default value to write. */
  default?: string;
  /** Never shown, and not accepted on the command line, where every user of the machine sees it. */
  isSecret?: true;
};

export const SETTINGS: readonly Setting<SettingName>[] = [
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
    sentence:
      'The folder of the embedded database, the generated secret, and the refusals that wait for a database that was away. Keep it on a disk that outlives the process, also with DATABASE_URL.',
    default: './data',
  },
  {
    name: 'DATABASE_URL',
    sentence: 'A PostgreSQL 15 or newer to use instead of the embedded one.',
    isSecret: true,
  },
  {
    name: 'DATABASE_TIMEOUT_MS',
    sentence:
      'How many milliseconds a statement of the database may take before its caller is told to come ' +
      'back; more for a slow or shared machine. The other limits of the database are in proportion, ' +
      'and so is the time in which a send has to be settled.',
    default: '1500',
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
    name: 'PUMPING_GUARD',
    sentence:
      `What happens when hardly any code sent to an operator's numbers is verified: ` +
      `${GUARD_MODES.join(' or ')}. The first only writes it down, the second stops SMS there.`,
    default: 'record',
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
    name: 'SMTP_URL',
    sentence:
      'The mail server for letters of the cabinet, like smtps://user:password@host; nobody signs ' +
      'up by e-mail when not set, except in a sandbox, where letters arrive in the virtual phone.',
    isSecret: true,
  },
  {
    name: 'MAIL_FROM',
    sentence: 'The address that letters come from; needed with SMTP_URL.',
  },
  {
    name: 'TRUST_PROXY',
    sentence:
      'The proxies whose X-Forwarded-For is believed: addresses or CIDR ranges with commas ' +
      'between; nobody when not set.',
  },
  {
    name: 'KEEP_MESSAGES_DAYS',
    sentence:
      'How many days messages are kept at least; they go by whole months. What they have cost ' +
      'stays in the ledger for ever.',
    default: '400',
  },
  {
    name: 'KEEP_CLICKS_DAYS',
    sentence:
      'How many days single clicks on short links are kept at least; they go by whole months, and ' +
      'their sums by the hour stay.',
    default: '400',
  },
  {
    name: 'KEEP_REQUEST_LOG_DAYS',
    sentence: 'How many days the log of API calls is kept at least; it goes by whole months.',
    default: String(REQUEST_LOG_DAYS),
  },
  {
    name: 'KEEP_PROVIDER_IDS_DAYS',
    sentence:
      'How many days the message ids of providers are kept; a receipt that comes later finds nothing.',
    default: '7',
  },
  {
    name: 'KEEP_GUARD_DECISIONS_DAYS',
    sentence: 'How many days the decisions of PUMPING_GUARD are kept.',
    default: String(GUARD_DECISION_DAYS),
  },
  {
    name: 'LOG_LEVEL',
    sentence: `How much is logged: ${LOG_LEVELS.join(', ')}.`,
    default: 'info',
  },
  {
    name: 'OPS_PORT',
    sentence:
      'The port of the figures and the readiness check, for the operator alone; none when not set.',
  },
  {
    name: 'OPS_HOST',
    sentence: 'The address that OPS_PORT listens on.',
    default: 'localhost',
  },
];
