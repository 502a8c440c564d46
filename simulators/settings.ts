/** The settings that connect a service to the simulators. */
import { BOT, CLOUD, GATEWAY, GREEN, HTTP, MOBIZON, SMPP, SMSC } from './credentials.ts';
import type { Name } from './names.ts';

type PortOf = (name: Name) => number;
type Settings = Record<string, string>;
type Channel = 'whatsapp' | 'telegram' | 'sms';

/** By provider, so that any part of it can be left out. */
export function settingsOf(portOf: PortOf) {
  const urlOf = (name: Name) => `http://127.0.0.1:${portOf(name)}`;
  return {
    whatsapp_cloud: {
      WHATSAPP_CLOUD_URL: urlOf('whatsapp-cloud'),
      WHATSAPP_CLOUD_TOKEN: CLOUD.token,
      WHATSAPP_CLOUD_PHONE_ID: CLOUD.phoneNumberId,
      WHATSAPP_CLOUD_WABA_ID: CLOUD.wabaId,
      WHATSAPP_CLOUD_APP_SECRET: CLOUD.appSecret,
      WHATSAPP_CLOUD_VERIFY_TOKEN: CLOUD.verifyToken,
      WHATSAPP_CLOUD_CODE_TEMPLATE: 'otp_code',
      WHATSAPP_CLOUD_LINK_TEMPLATE: 'link_notice',
    },
    green_api: {
      GREEN_API_URL: urlOf('green-api'),
      GREEN_API_INSTANCE: GREEN.instanceId,
      GREEN_API_TOKEN: GREEN.token,
      GREEN_API_CALLBACK_TOKEN: GREEN.callbackToken,
    },
    telegram_gateway: {
      TELEGRAM_GATEWAY_URL: urlOf('telegram-gateway'),
      TELEGRAM_GATEWAY_TOKEN: GATEWAY.token,
    },
    telegram_bot: {
      TELEGRAM_BOT_URL: urlOf('telegram-bot'),
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
      SMSC_URL: urlOf('smsc'),
      SMSC_LOGIN: SMSC.login,
      SMSC_PASSWORD: SMSC.password,
      SMSC_CALLBACK_SECRET: SMSC.callbackSecret,
    },
    mobizon: {
      MOBIZON_URL: urlOf('mobizon'),
      MOBIZON_KEY: MOBIZON.apiKey,
      MOBIZON_CALLBACK_SECRET: MOBIZON.callbackSecret,
    },
    http: (channel: Channel): Settings => ({
      [`HTTP_${channel.toUpperCase()}_URL`]: `${urlOf('http')}/messages`,
      [`HTTP_${channel.toUpperCase()}_SECRET`]: HTTP.secret,
    }),
  };
}

type Block = Exclude<keyof ReturnType<typeof settingsOf>, 'http'>;

/** Who carries a channel, in the order in which they are tried. */
const CARRIERS: Record<Channel, Partial<Record<Name, Block>>> = {
  whatsapp: { 'whatsapp-cloud': 'whatsapp_cloud', 'green-api': 'green_api' },
  telegram: { 'telegram-gateway': 'telegram_gateway', 'telegram-bot': 'telegram_bot' },
  sms: { smpp: 'smpp', smsc: 'smsc', mobizon: 'mobizon' },
};

/**
 * The lines of an `.env` for these simulators. The orders are written out, so that nothing which the
 * file may hold already sends for real.
 *
 * The provider over HTTP is the last resort of SMS, and carries the channels that nobody else does.
 * Behind others it would carry what they cannot, and hide what a real system refuses: a link by
 * Telegram to somebody who has not shared a phone with the bot.
 */
export function settingsText(
  names: readonly Name[],
  { serviceUrl, portOf }: { serviceUrl: string; portOf: PortOf },
): string {
  const settings = settingsOf(portOf);
  const sections = (['whatsapp', 'telegram', 'sms'] as const).flatMap((channel) => {
    const own = Object.entries(CARRIERS[channel]).filter(([name]) => names.includes(name as Name));
    const isByHttp = names.includes('http') && (channel === 'sms' || own.length === 0);
    const order = [...own.map(([name]) => name), ...(isByHttp ? [`http-${channel}`] : [])];
    if (order.length === 0) return [];
    const blocks = own.map(([, block]) => settings[block]);
    const lines = [{ [`${channel.toUpperCase()}_PROVIDERS`]: order.join(',') }, ...blocks];
    return [linesOf(Object.assign({}, ...lines, isByHttp ? settings.http(channel) : {}))];
  });
  const title = '# Simulated providers; what is here is worth nothing outside of this machine.';
  // The file that they are put behind may not end with its last line.
  return [
    '',
    title,
    ...linesOf(placeOf(serviceUrl)),
    ...sections.flatMap((lines) => ['', ...lines]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** The service has to be where the simulators report to, and nowhere else if that port is taken. */
function placeOf(serviceUrl: string): Settings {
  const { hostname, port, protocol } = new URL(serviceUrl);
  const isHere = protocol === 'http:' && ['localhost', '127.0.0.1'].includes(hostname);
  return { PUBLIC_URL: serviceUrl, ...(isHere && { PORT: port || '80' }) };
}

function linesOf(settings: Settings): string[] {
  return Object.entries(settings).map(([name, value]) => `${name}=${value}`);
}
