/** The settings that connect a service to the simulators. */
import {
  BOT,
  CLOUD,
  FREEDOM_PAY,
  GATEWAY,
  GREEN,
  HTTP,
  KASPI,
  MOBIZON,
  SMPP,
  SMSC,
  WEBKASSA,
} from './credentials.ts';
import type { Name } from './names.ts';

type PortOf = (name: Name) => number;
type Settings = Record<string, string>;
type Channel = 'whatsapp' | 'telegram' | 'sms';

/** The settings by provider, so that any provider can be left out. */
export function connectionSettings(portOf: PortOf) {
  const toUrl = (name: Name) => `http://127.0.0.1:${portOf(name)}`;
  return {
    whatsapp_cloud: {
      WHATSAPP_CLOUD_URL: toUrl('whatsapp-cloud'),
      WHATSAPP_CLOUD_TOKEN: CLOUD.token,
      WHATSAPP_CLOUD_PHONE_ID: CLOUD.phoneNumberId,
      WHATSAPP_CLOUD_WABA_ID: CLOUD.wabaId,
      WHATSAPP_CLOUD_APP_SECRET: CLOUD.appSecret,
      WHATSAPP_CLOUD_VERIFY_TOKEN: CLOUD.verifyToken,
      WHATSAPP_CLOUD_CODE_TEMPLATE: 'otp_code',
      WHATSAPP_CLOUD_LINK_TEMPLATE: 'link_notice',
    },
    green_api: {
      GREEN_API_URL: toUrl('green-api'),
      GREEN_API_INSTANCE: GREEN.instanceId,
      GREEN_API_TOKEN: GREEN.token,
      GREEN_API_CALLBACK_TOKEN: GREEN.callbackToken,
    },
    telegram_gateway: {
      TELEGRAM_GATEWAY_URL: toUrl('telegram-gateway'),
      TELEGRAM_GATEWAY_TOKEN: GATEWAY.token,
    },
    telegram_bot: {
      TELEGRAM_BOT_URL: toUrl('telegram-bot'),
      TELEGRAM_BOT_TOKEN: BOT.token,
      TELEGRAM_BOT_SECRET: BOT.secretToken,
    },
    smpp: {
      SMPP_HOST: '127.0.0.1',
      SMPP_PORT: String(portOf('smpp')),
      SMPP_SYSTEM_ID: SMPP.systemId,
      SMPP_PASSWORD: SMPP.password,
      SMPP_SENDER: SMPP.sender,
    },
    smsc: {
      SMSC_URL: toUrl('smsc'),
      SMSC_LOGIN: SMSC.login,
      SMSC_PASSWORD: SMSC.password,
      SMSC_CALLBACK_SECRET: SMSC.callbackSecret,
    },
    mobizon: {
      MOBIZON_URL: toUrl('mobizon'),
      MOBIZON_KEY: MOBIZON.apiKey,
      MOBIZON_CALLBACK_SECRET: MOBIZON.callbackSecret,
    },
    kaspi: {
      KASPI_URL: `${toUrl('kaspi')}/r1/v01`,
      KASPI_API_KEY: KASPI.apiKey,
      KASPI_DEVICE_ID: KASPI.deviceId,
      KASPI_TRADE_POINT_ID: KASPI.tradePointId,
    },
    freedom_pay: {
      FREEDOM_PAY_URL: toUrl('freedom-pay'),
      FREEDOM_PAY_MERCHANT_ID: FREEDOM_PAY.merchantId,
      FREEDOM_PAY_SECRET: FREEDOM_PAY.secret,
    },
    webkassa: {
      WEBKASSA_URL: toUrl('webkassa'),
      WEBKASSA_API_KEY: WEBKASSA.apiKey,
      WEBKASSA_LOGIN: WEBKASSA.login,
      WEBKASSA_PASSWORD: WEBKASSA.password,
      WEBKASSA_CASHBOX: WEBKASSA.cashbox,
    },
    http: (channel: Channel): Settings => ({
      [`HTTP_${channel.toUpperCase()}_URL`]: `${toUrl('http')}/messages`,
      [`HTTP_${channel.toUpperCase()}_SECRET`]: HTTP.secret,
    }),
  };
}

type Block = Exclude<keyof ReturnType<typeof connectionSettings>, 'http'>;

/** The providers of each channel, in the order in which they are tried. */
const PROVIDERS: Record<Channel, Partial<Record<Name, Block>>> = {
  whatsapp: { 'whatsapp-cloud': 'whatsapp_cloud', 'green-api': 'green_api' },
  telegram: { 'telegram-gateway': 'telegram_gateway', 'telegram-bot': 'telegram_bot' },
  sms: { smpp: 'smpp', smsc: 'smsc', mobizon: 'mobizon' },
};

/** Providers of payments are open as soon as they are configured. */
const PAYMENTS: Partial<Record<Name, Block>> = {
  kaspi: 'kaspi',
  'freedom-pay': 'freedom_pay',
  webkassa: 'webkassa',
};

/**
 * The `.env` lines for these simulators. The provider orders are explicit, so that no real provider
 * that the file may already contain is used.
 *
 * The HTTP provider is the last fallback of SMS, and serves channels that have no other provider.
 * Behind others it would deliver what they cannot, and hide what a real system refuses: a link by
 * Telegram to somebody who has not shared a phone with the bot.
 */
export function settingsText(
  names: readonly Name[],
  { serviceUrl, portOf }: { serviceUrl: string; portOf: PortOf },
): string {
  const settings = connectionSettings(portOf);
  const sections = (['whatsapp', 'telegram', 'sms'] as const).flatMap((channel) => {
    const selected = Object.entries(PROVIDERS[channel]).filter(([name]) =>
      names.includes(name as Name),
    );
    const hasHttp = names.includes('http') && (channel === 'sms' || selected.length === 0);
    const order = [...selected.map(([name]) => name), ...(hasHttp ? [`http-${channel}`] : [])];
    if (order.length === 0) return [];
    const blocks = selected.map(([, block]) => settings[block]);
    const lines = [{ [`${channel.toUpperCase()}_PROVIDERS`]: order.join(',') }, ...blocks];
    return [toLines(Object.assign({}, ...lines, hasHttp ? settings.http(channel) : {}))];
  });
  const payments = Object.entries(PAYMENTS).flatMap(([name, block]) =>
    names.includes(name as Name) ? [toLines(settings[block])] : [],
  );
  const title = '# Simulated providers; these credentials work only with the simulators.';
  // The file that they are appended to may lack a final line break.
  return [
    '',
    title,
    ...toLines(serviceSettings(serviceUrl)),
    ...[...sections, ...payments].flatMap((lines) => ['', ...lines]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** Pins the service to the address that the simulators report to, even if its port is taken. */
function serviceSettings(serviceUrl: string): Settings {
  const { hostname, port, protocol } = new URL(serviceUrl);
  const isHere = protocol === 'http:' && ['localhost', '127.0.0.1'].includes(hostname);
  return { PUBLIC_URL: serviceUrl, ...(isHere && { PORT: port || '80' }) };
}

function toLines(settings: Settings): string[] {
  return Object.entries(settings).map(([name, value]) => `${name}=${value}`);
}
