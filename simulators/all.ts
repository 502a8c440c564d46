/**
 * All providers at once, with the settings that connect a service to them: a whole system as if it
 * were real.
 */
import type { Simulator } from './frame/http-simulator.ts';
import { startGreenApi } from './green-api.ts';
import { startHttpProvider } from './http-provider.ts';
import { startMobizon } from './mobizon.ts';
import { startSmpp } from './smpp/smpp.ts';
import { startSmsc } from './smsc.ts';
import { startTelegramBot } from './telegram-bot.ts';
import { startTelegramGateway } from './telegram-gateway.ts';
import { startWhatsappCloud } from './whatsapp-cloud.ts';

/** Made up, and worth nothing outside of the simulators. */
const CLOUD = {
  token: 'EAAsimulated0000000000000000000000',
  phoneNumberId: '100000000000001',
  wabaId: '200000000000001',
  appSecret: 'simulated-app-secret',
  verifyToken: 'simulated-verify-token',
};
const GREEN = {
  instanceId: '1101000001',
  token: 'simulated0000000000000000000000green',
  callbackToken: 'simulated-green-callback',
};
const GATEWAY = { token: 'simulated-gateway-token-0000000000' };
const BOT = {
  token: '1000000001:simulated-bot-token-00000000000',
  secretToken: 'simulated-bot-secret',
};
const SMPP = { systemId: 'zhiber', password: 'sim-pass', sender: 'Zhiber' };
const SMSC = {
  login: 'zhiber',
  password: 'simulated-smsc',
  callbackSecret: 'simulated-smsc-secret',
};
const MOBIZON = {
  apiKey: 'kzsimulated0000000000000000',
  callbackSecret: 'simulated-mobizon-secret',
};
const HTTP = { secret: 'whsec_c2ltdWxhdGVkLWh0dHAtcHJvdmlkZXItc2VjcmV0' };

/** Where each listens when it has a place of its own. */
const PORTS = {
  cloud: 4001,
  green: 4002,
  gateway: 4003,
  bot: 4004,
  smpp: 4005,
  smppControl: 4006,
  smsc: 4007,
  mobizon: 4008,
  http: 4009,
};
const ANY_PORT = Object.fromEntries(Object.keys(PORTS).map((name) => [name, 0])) as typeof PORTS;

export type Simulators = Awaited<ReturnType<typeof startAll>>;

export async function startAll(options: { serviceUrl: string; hasFixedPorts?: boolean }) {
  const port = options.hasFixedPorts === true ? PORTS : ANY_PORT;
  const callbackUrl = (provider: string) => `${options.serviceUrl}/callbacks/${provider}`;
  const cloud = await startWhatsappCloud({
    ...CLOUD,
    port: port.cloud,
    callbackUrl: callbackUrl('whatsapp-cloud'),
  });
  const green = await startGreenApi({
    ...GREEN,
    port: port.green,
    callbackUrl: callbackUrl('green-api'),
  });
  const gateway = await startTelegramGateway({ ...GATEWAY, port: port.gateway });
  const { token, secretToken } = BOT;
  const webhook = { url: callbackUrl('telegram-bot'), secretToken };
  const bot = await startTelegramBot({ token, webhook, port: port.bot });
  const smpp = await startSmpp({ ...SMPP, port: port.smpp, controlPort: port.smppControl });
  const smsc = await startSmsc({ ...SMSC, port: port.smsc, callbackUrl: callbackUrl('smsc') });
  const mobizon = await startMobizon({
    ...MOBIZON,
    port: port.mobizon,
    callbackUrl: callbackUrl('mobizon'),
  });
  const http = await startHttpProvider({ ...HTTP, port: port.http });
  const all = { cloud, green, gateway, bot, smpp, smsc, mobizon, http };
  return {
    ...all,
    settings: settingsOf(all),
    async close() {
      await Promise.all(Object.values(all).map((simulator) => simulator.close()));
    },
  };
}

/** What connects a service to them; any part of it can be left out. */
function settingsOf(all: Record<string, Simulator>) {
  const urlOf = (name: string) => all[name]?.url ?? '';
  return {
    whatsapp_cloud: {
      WHATSAPP_CLOUD_URL: urlOf('cloud'),
      WHATSAPP_CLOUD_TOKEN: CLOUD.token,
      WHATSAPP_CLOUD_PHONE_ID: CLOUD.phoneNumberId,
      WHATSAPP_CLOUD_WABA_ID: CLOUD.wabaId,
      WHATSAPP_CLOUD_APP_SECRET: CLOUD.appSecret,
      WHATSAPP_CLOUD_VERIFY_TOKEN: CLOUD.verifyToken,
      WHATSAPP_CLOUD_CODE_TEMPLATE: 'otp_code',
      WHATSAPP_CLOUD_LINK_TEMPLATE: 'link_notice',
    },
    green_api: {
      GREEN_API_URL: urlOf('green'),
      GREEN_API_INSTANCE: GREEN.instanceId,
      GREEN_API_TOKEN: GREEN.token,
      GREEN_API_CALLBACK_TOKEN: GREEN.callbackToken,
    },
    telegram_gateway: {
      TELEGRAM_GATEWAY_URL: urlOf('gateway'),
      TELEGRAM_GATEWAY_TOKEN: GATEWAY.token,
    },
    telegram_bot: {
      TELEGRAM_BOT_URL: urlOf('bot'),
      TELEGRAM_BOT_TOKEN: BOT.token,
      TELEGRAM_BOT_SECRET: BOT.secretToken,
    },
    smpp: {
      SMPP_HOST: '127.0.0.1',
      SMPP_PORT: new URL(urlOf('smpp')).port,
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
    http: (channel: 'whatsapp' | 'telegram' | 'sms') => ({
      [`HTTP_${channel.toUpperCase()}_URL`]: `${urlOf('http')}/messages`,
      [`HTTP_${channel.toUpperCase()}_SECRET`]: HTTP.secret,
    }),
  };
}
