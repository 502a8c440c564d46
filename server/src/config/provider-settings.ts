import type { Channel } from '@zhiber/contract/api/channel.ts';
import { address, type BlockSetting, hidden, optional, required, secret } from './block-setting.ts';
import type { Setting } from './settings.ts';
import { integerIn, matching, oneOf } from './values.ts';

/**
 * A provider is configured as soon as one of its settings is set; then the required ones must be
 * set too.
 */
export type ProviderBlock = {
  kind: ProviderKind;
  channel: Channel;
  /** How its settings begin, where several accounts of the kind can be configured. */
  prefix?: string;
  /** The heading of the block in `.env.example`. */
  title: string;
  settings: readonly BlockSetting[];
};

/** Each kind is a file in channels/, and the name of its first account. */
export type ProviderKind =
  | 'whatsapp-cloud'
  | 'green-api'
  | 'http-whatsapp'
  | 'telegram-gateway'
  | 'telegram-bot'
  | 'http-telegram'
  | 'smpp'
  | 'smsc'
  | 'mobizon'
  | 'http-sms';

/** The accounts of a kind are numbered up to this. */
const ACCOUNTS_MAX = 9;

/** One account of a kind: its own settings, named after it. */
export type ProviderAccount = Pick<ProviderBlock, 'kind' | 'channel' | 'settings'> & {
  /** The name in logs, metrics, addresses of callbacks and the order of providers: `smpp-2`. */
  name: string;
};

/** The accounts that can be configured by a block: SMPP_HOST is of `smpp`, SMPP_2_HOST of `smpp-2`. */
export function accountsOf({ kind, channel, prefix, settings }: ProviderBlock): ProviderAccount[] {
  const first = { name: kind, kind, channel, settings };
  if (prefix === undefined) return [first];
  const further = Array.from({ length: ACCOUNTS_MAX - 1 }, (_, i) => ({
    ...first,
    name: `${kind}-${i + 2}`,
    settings: settings.map((setting) => ({
      ...setting,
      name: setting.name.replace(prefix, `${prefix}_${i + 2}`),
    })),
  }));
  return [first, ...further];
}

export const PROVIDER_BLOCKS: readonly ProviderBlock[] = [
  {
    kind: 'whatsapp-cloud',
    channel: 'whatsapp',
    title: 'WhatsApp by the Cloud API of Meta. Callback: PUBLIC_URL/callbacks/whatsapp-cloud',
    settings: [
      required('WHATSAPP_CLOUD_PHONE_ID', 'phoneNumberId', 'The id of the business phone number.'),
      secret('WHATSAPP_CLOUD_TOKEN', 'token', 'The token of a system user.'),
      secret(
        'WHATSAPP_CLOUD_APP_SECRET',
        'appSecret',
        'The secret of the app; it signs callbacks.',
      ),
      secret(
        'WHATSAPP_CLOUD_VERIFY_TOKEN',
        'verifyToken',
        'The verify token that you enter at Meta to subscribe the webhook.',
      ),
      required(
        'WHATSAPP_CLOUD_CODE_TEMPLATE',
        'codeTemplate',
        'An approved authentication template.',
      ),
      optional(
        'WHATSAPP_CLOUD_LINK_TEMPLATE',
        'linkTemplate',
        'An approved utility template with one text and a URL button, for links.',
      ),
      optional(
        'WHATSAPP_CLOUD_WABA_ID',
        'wabaId',
        'The business account: its templates are checked, and broadcasts go by its approved marketing templates.',
      ),
      rate('WHATSAPP_CLOUD_RATE', '80'),
      optional('WHATSAPP_CLOUD_VERSION', 'version', 'The version of the Graph API.', 'v25.0'),
      address('WHATSAPP_CLOUD_URL', 'The address of the Graph API.', 'https://graph.facebook.com'),
    ],
  },
  {
    kind: 'green-api',
    channel: 'whatsapp',
    title: 'WhatsApp by Green-API, over a linked device. Callback: PUBLIC_URL/callbacks/green-api',
    settings: [
      required('GREEN_API_INSTANCE', 'instanceId', 'The id of the instance.'),
      secret('GREEN_API_TOKEN', 'token', 'The token of the instance.'),
      secret('GREEN_API_CALLBACK_TOKEN', 'callbackToken', 'The webhookUrlToken of the instance.'),
      address('GREEN_API_URL', 'The apiUrl of the instance.', 'https://api.green-api.com'),
    ],
  },
  httpBlock('whatsapp', 'HTTP_WHATSAPP'),
  {
    kind: 'telegram-gateway',
    channel: 'telegram',
    title: 'Codes by the Telegram Gateway. Callback: PUBLIC_URL/callbacks/telegram-gateway',
    settings: [
      secret('TELEGRAM_GATEWAY_TOKEN', 'token', 'The token of the account.'),
      optional('TELEGRAM_GATEWAY_SENDER', 'senderUsername', 'A verified channel to send from.'),
      address(
        'TELEGRAM_GATEWAY_URL',
        'The address of the Gateway.',
        'https://gatewayapi.telegram.org',
      ),
    ],
  },
  {
    kind: 'telegram-bot',
    channel: 'telegram',
    title:
      'Groups, and people who shared their phone, by a Telegram bot. ' +
      'Callback: PUBLIC_URL/callbacks/telegram-bot',
    settings: [
      secret('TELEGRAM_BOT_TOKEN', 'token', 'The token of the bot.'),
      {
        ...secret('TELEGRAM_BOT_SECRET', 'secretToken', 'The secret token of its webhook.'),
        check: matching(/^[A-Za-z0-9_-]{1,256}$/, 'should be 1 to 256 of A-Z, a-z, 0-9, _ and -'),
      },
      rate('TELEGRAM_BOT_RATE', '30'),
      address('TELEGRAM_BOT_URL', 'The address of the Bot API.', 'https://api.telegram.org'),
    ],
  },
  httpBlock('telegram', 'HTTP_TELEGRAM'),
  {
    kind: 'smpp',
    channel: 'sms',
    prefix: 'SMPP',
    title: "SMS by an operator's SMPP 3.4. A second account is set by SMPP_2_HOST and so on",
    settings: [
      {
        ...required(
          'SMPP_HOST',
          'host',
          "The operator's host, or several of one account, separated by commas; each may have a :port.",
        ),
        check: matching(/^[^\s,]+(,[^\s,]+)*$/, 'should be hosts separated by commas'),
      },
      {
        ...optional(
          'SMPP_HOST_USE',
          'hostUse',
          'With several hosts: messages go to all in turn, or to the first that is bound (all or first).',
          'all',
        ),
        check: oneOf(['all', 'first']),
      },
      {
        ...optional('SMPP_PORT', 'port', 'The port of hosts without one of their own.', '2775'),
        check: integerIn(1, 65_535),
      },
      {
        ...optional('SMPP_TLS', 'tls', 'Whether the connection is encrypted: yes or no.', 'no'),
        check: oneOf(['yes', 'no']),
      },
      {
        ...optional(
          'SMPP_BIND',
          'bind',
          'How to bind: transceiver, or separate for a transmitter and a receiver.',
          'transceiver',
        ),
        check: oneOf(['transceiver', 'separate']),
      },
      {
        ...optional('SMPP_BINDS', 'binds', 'How many binds each host gets.', '1'),
        check: integerIn(1, 20),
      },
      latin(required('SMPP_SYSTEM_ID', 'systemId', 'The name to bind with.'), 255),
      latin(secret('SMPP_PASSWORD', 'password', 'The password to bind with.'), 255),
      latin(
        optional(
          'SMPP_SYSTEM_TYPE',
          'systemType',
          'The system type, if the operator requires one.',
        ),
        255,
      ),
      latin(
        optional(
          'SMPP_ADDRESS_RANGE',
          'addressRange',
          'The address range to bind with, if the operator requires one.',
        ),
        40,
      ),
      latin(
        optional(
          'SMPP_SERVICE_TYPE',
          'serviceType',
          'The service type of messages, if the operator requires one.',
        ),
        5,
      ),
      {
        ...required('SMPP_SENDER', 'sender', 'The name or number that messages come from.'),
        check: matching(
          /^(\d{1,15}|[\x20-\x7e]{1,11})$/,
          'should be 1 to 11 Latin characters, or up to 15 digits',
        ),
      },
      {
        ...optional(
          'SMPP_SOURCE_TON',
          'sourceTon',
          'The type of number of the sender; when not set, 5 for a name, 3 for up to 8 digits, 1 for more.',
        ),
        check: integerIn(0, 255),
      },
      {
        ...optional(
          'SMPP_SOURCE_NPI',
          'sourceNpi',
          'The numbering plan of the sender; when not set, 1 for more than 8 digits, 0 for others.',
        ),
        check: integerIn(0, 255),
      },
      {
        ...optional('SMPP_DESTINATION_TON', 'destinationTon', 'The type of number of phones.', '1'),
        check: integerIn(0, 255),
      },
      {
        ...optional('SMPP_DESTINATION_NPI', 'destinationNpi', 'The numbering plan of phones.', '1'),
        check: integerIn(0, 255),
      },
      {
        ...optional(
          'SMPP_VALIDITY',
          'validity',
          'Whether the operator is told when a code expires: yes or no.',
          'yes',
        ),
        check: oneOf(['yes', 'no']),
      },
      {
        ...optional(
          'SMPP_ALPHABET',
          'alphabet',
          'What the operator reads data_coding 0 in: gsm (GSM 03.38), or latin1 (ASCII or Latin-1).',
          'gsm',
        ),
        check: oneOf(['gsm', 'latin1']),
      },
      {
        ...optional(
          'SMPP_CONCATENATION',
          'concatenation',
          'How long messages are sent: in parts by udh or by sar, or whole in message_payload by payload.',
          'udh',
        ),
        check: oneOf(['udh', 'sar', 'payload']),
      },
      {
        ...optional(
          'SMPP_ID_FORM',
          'idForm',
          'The format of ids in receipts: same, hex_in_response or hex_in_receipt.',
          'same',
        ),
        check: oneOf(['same', 'hex_in_response', 'hex_in_receipt']),
      },
      {
        ...optional(
          'SMPP_STATUSES',
          'statuses',
          "What the operator's own statuses mean (refused, unavailable, throttled or unknown), as in " +
            '0x401:refused,0x402:throttled.',
        ),
        check: matching(
          /^0x[0-9a-f]{1,8}:(refused|unavailable|throttled|unknown)(,0x[0-9a-f]{1,8}:(refused|unavailable|throttled|unknown))*$/i,
          'should be statuses with refused, unavailable, throttled or unknown, as in 0x401:refused,0x402:throttled',
        ),
      },
      {
        ...optional(
          'SMPP_WINDOW',
          'window',
          'How many messages may wait for a response at once on a connection.',
          '10',
        ),
        check: integerIn(1, 1_000),
      },
      {
        ...optional(
          'SMPP_RATE',
          'ratePerSecond',
          'How many messages a second the contract allows.',
        ),
        check: integerIn(1, 10_000),
      },
      {
        ...optional(
          'SMPP_ENQUIRE_SECONDS',
          'enquireSeconds',
          'How often the operator is asked by enquire_link whether it is there.',
          '30',
        ),
        check: integerIn(1, 3_600),
      },
      {
        ...optional(
          'SMPP_RESPONSE_MS',
          'responseTimeoutMs',
          'How many milliseconds a response may take; a message waits 4 seconds at most.',
          '3500',
        ),
        check: integerIn(100, 60_000),
      },
    ],
  },
  {
    kind: 'smsc',
    channel: 'sms',
    title: 'SMS by SMSC.kz. Callback: PUBLIC_URL/callbacks/smsc',
    settings: [
      optional('SMSC_LOGIN', 'login', 'The login; not needed with an API key.'),
      hidden('SMSC_PASSWORD', 'password', 'The password of the login.'),
      hidden('SMSC_API_KEY', 'apiKey', 'An API key instead of login and password.'),
      senderName('SMSC_SENDER'),
      rate('SMSC_RATE'),
      callbackSecret('SMSC_CALLBACK_SECRET'),
      address('SMSC_URL', 'The address of the gateway.', 'https://smsc.kz'),
    ],
  },
  {
    kind: 'mobizon',
    channel: 'sms',
    title: 'SMS by Mobizon. Callback: PUBLIC_URL/callbacks/mobizon',
    settings: [
      secret('MOBIZON_KEY', 'apiKey', 'The API key.'),
      senderName('MOBIZON_SENDER'),
      rate('MOBIZON_RATE'),
      callbackSecret('MOBIZON_CALLBACK_SECRET'),
      address('MOBIZON_URL', 'The address of the gateway.', 'https://api.mobizon.kz'),
    ],
  },
  httpBlock('sms', 'HTTP_SMS'),
];

/** Which providers of a channel are tried, and in which order. */
export const ORDER_SETTINGS: readonly (Setting & { channel: Channel })[] = [
  order('whatsapp', 'WHATSAPP_PROVIDERS'),
  order('telegram', 'TELEGRAM_PROVIDERS'),
  order('sms', 'SMS_PROVIDERS'),
];

function order(channel: Channel, name: string) {
  const names = PROVIDER_BLOCKS.filter((block) => block.channel === channel);
  return {
    channel,
    name,
    sentence:
      `The providers of the channel in the order in which they are tried, separated by commas: ` +
      `${names.map((block) => block.kind).join(', ')}; ` +
      'all that are configured, in this order, when not set.',
  };
}

function senderName(name: string): BlockSetting {
  return optional(name, 'sender', 'The registered name that messages come from.');
}

/** Only of providers that carry broadcasts: nothing else waits for it. */
function rate(name: string, value?: string): BlockSetting {
  const sentence =
    'How many messages a second it takes: broadcasts keep to it' +
    (value === undefined ? ', and have no limit when it is not set.' : '.');
  return { ...optional(name, 'ratePerSecond', sentence, value), check: integerIn(1, 10_000) };
}

function callbackSecret(name: string): BlockSetting {
  return hidden(name, 'callbackSecret', 'Signs callbacks; without it they are refused.');
}

function latin(setting: BlockSetting, max: number): BlockSetting {
  const pattern = new RegExp(`^[\\x20-\\x7e]{1,${max}}$`);
  return { ...setting, check: matching(pattern, `should be at most ${max} Latin characters`) };
}

/** Any other provider that takes signed messages over HTTP: docs/http-provider.md. */
function httpBlock(channel: Channel, prefix: string): ProviderBlock {
  return {
    kind: `http-${channel}`,
    channel,
    prefix,
    title: `The channel ${channel} by your own server: see docs/http-provider.md`,
    settings: [
      {
        ...required(`${prefix}_URL`, 'url', 'The address that messages are posted to.'),
        check: matching(
          /^https?:\/\/[^\s#]+$/,
          'should be an address like https://example.kz/send',
        ),
      },
      {
        ...secret(
          `${prefix}_SECRET`,
          'secret',
          'Signs messages and receipts: whsec_ and 24 to 64 bytes.',
        ),
        check: matching(
          /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/,
          'should be whsec_ and 24 to 64 bytes in base64',
        ),
      },
      {
        ...optional(
          `${prefix}_CARRIES`,
          'carries',
          'What it can send: any of code, code_with_link, text, broadcast and group.',
          'code,code_with_link,text,broadcast',
        ),
        check: matching(
          /^(code|code_with_link|text|broadcast|group)(,(code|code_with_link|text|broadcast|group))*$/,
          'should be a comma-separated list of code, code_with_link, text, broadcast, group',
        ),
      },
      rate(`${prefix}_RATE`),
    ],
  };
}
