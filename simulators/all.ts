/**
 * All providers, each by its name in the settings of a service: together they are a whole system as
 * if it were real.
 */
import { BOT, CLOUD, GATEWAY, GREEN, HTTP, MOBIZON, SMPP, SMSC } from './credentials.ts';
import type { Simulator, SimulatorOptions } from './frame/http-simulator.ts';
import { startGreenApi } from './green-api.ts';
import { startHttpProvider } from './http-provider.ts';
import { startMobizon } from './mobizon.ts';
import type { Name } from './names.ts';
import { settingsOf } from './settings.ts';
import { startSmpp } from './smpp/smpp.ts';
import { startSmsc } from './smsc.ts';
import { startTelegramBot } from './telegram-bot.ts';
import { startTelegramGateway } from './telegram-gateway.ts';
import { startWhatsappCloud, usualTemplates } from './whatsapp-cloud.ts';

/** Where a simulator lives: its port and journal; SMPP alone is controlled at a port of its own. */
export type Place = SimulatorOptions & { port: number; controlPort: number };

type Start = (serviceUrl: string, place: Place) => Promise<Simulator>;

export const START = {
  'whatsapp-cloud': (service, place) =>
    startWhatsappCloud({
      ...CLOUD,
      ...place,
      callbackUrl: `${service}/callbacks/whatsapp-cloud`,
      templates: usualTemplates(`${service}/s`),
    }),
  'green-api': (service, place) =>
    startGreenApi({ ...GREEN, ...place, callbackUrl: `${service}/callbacks/green-api` }),
  'telegram-gateway': (_, place) => startTelegramGateway({ ...GATEWAY, ...place }),
  'telegram-bot': (service, place) => {
    const { token, secretToken } = BOT;
    const webhook = { url: `${service}/callbacks/telegram-bot`, secretToken };
    return startTelegramBot({ token, webhook, ...place });
  },
  smpp: (_, place) => startSmpp({ ...SMPP, ...place }),
  smsc: (service, place) =>
    startSmsc({ ...SMSC, ...place, callbackUrl: `${service}/callbacks/smsc` }),
  mobizon: (service, place) =>
    startMobizon({ ...MOBIZON, ...place, callbackUrl: `${service}/callbacks/mobizon` }),
  http: (_, place) => startHttpProvider({ ...HTTP, ...place }),
} satisfies Record<Name, Start>;

const ANYWHERE: Place = { port: 0, controlPort: 0 };

export type Simulators = Awaited<ReturnType<typeof startAll>>;

export async function startAll({ serviceUrl }: { serviceUrl: string }) {
  const all = {
    'whatsapp-cloud': await START['whatsapp-cloud'](serviceUrl, ANYWHERE),
    'green-api': await START['green-api'](serviceUrl, ANYWHERE),
    'telegram-gateway': await START['telegram-gateway'](serviceUrl, ANYWHERE),
    'telegram-bot': await START['telegram-bot'](serviceUrl, ANYWHERE),
    smpp: await START.smpp(serviceUrl, ANYWHERE),
    smsc: await START.smsc(serviceUrl, ANYWHERE),
    mobizon: await START.mobizon(serviceUrl, ANYWHERE),
    http: await START.http(serviceUrl, ANYWHERE),
  };
  const {
    'whatsapp-cloud': cloud,
    'green-api': green,
    'telegram-gateway': gateway,
    'telegram-bot': bot,
    ...others
  } = all;
  return {
    ...others,
    cloud,
    green,
    gateway,
    bot,
    settings: settingsOf((name) => Number(new URL(all[name].url).port)),
    async close() {
      await Promise.all(Object.values(all).map((simulator) => simulator.close()));
    },
  };
}
