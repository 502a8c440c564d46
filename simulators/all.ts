/**
 * Starts the simulators, each by the name of its provider in the settings. Together they stand for
 * all real providers.
 */
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
import type { SimulatorOptions } from './frame/http-simulator.ts';
import type { Simulator } from './frame/simulator.ts';
import { startFreedomPay } from './freedom-pay.ts';
import { startGreenApi } from './green-api.ts';
import { startHttpProvider } from './http-provider.ts';
import { startKaspi } from './kaspi.ts';
import { startMobizon } from './mobizon.ts';
import type { Name } from './names.ts';
import { connectionSettings } from './settings.ts';
import { startSmpp } from './smpp/smpp.ts';
import { startSmsc } from './smsc.ts';
import { startTelegramBot } from './telegram-bot.ts';
import { startTelegramGateway } from './telegram-gateway.ts';
import { startWebkassa } from './webkassa.ts';
import { marketingTemplate, startWhatsappCloud, usualTemplates } from './whatsapp-cloud.ts';

/** The port and the journal of a simulator; only SMPP has a separate control port. */
export type Place = SimulatorOptions & { port: number; controlPort: number };

type Start = (serviceUrl: string, place: Place) => Promise<Simulator>;

export const START = {
  'whatsapp-cloud': (service, place) =>
    startWhatsappCloud({
      ...CLOUD,
      ...place,
      callbackUrl: `${service}/callbacks/whatsapp-cloud`,
      templates: [...usualTemplates(`${service}/s`), marketingTemplate(`${service}/s`)],
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
  kaspi: (_, place) => startKaspi({ ...KASPI, ...place }),
  // Orders say where their notices go.
  'freedom-pay': (_, place) => startFreedomPay({ ...FREEDOM_PAY, ...place }),
  webkassa: (_, place) => startWebkassa({ ...WEBKASSA, ...place }),
} satisfies Record<Name, Start>;

export type Simulators = Awaited<ReturnType<typeof startAll>>;

/** On any free ports, unless they are chosen. */
export async function startAll({
  serviceUrl,
  choosePort = async () => 0,
}: {
  serviceUrl: string;
  choosePort?: () => Promise<number>;
}) {
  const place = async (): Promise<Place> => ({ port: await choosePort(), controlPort: 0 });
  const all = {
    'whatsapp-cloud': await START['whatsapp-cloud'](serviceUrl, await place()),
    'green-api': await START['green-api'](serviceUrl, await place()),
    'telegram-gateway': await START['telegram-gateway'](serviceUrl, await place()),
    'telegram-bot': await START['telegram-bot'](serviceUrl, await place()),
    smpp: await START.smpp(serviceUrl, await place()),
    smsc: await START.smsc(serviceUrl, await place()),
    mobizon: await START.mobizon(serviceUrl, await place()),
    http: await START.http(serviceUrl, await place()),
    kaspi: await START.kaspi(serviceUrl, await place()),
    'freedom-pay': await START['freedom-pay'](serviceUrl, await place()),
    webkassa: await START.webkassa(serviceUrl, await place()),
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
    settings: connectionSettings((name) => Number(new URL(all[name].url).port)),
    async close() {
      await Promise.all(Object.values(all).map((simulator) => simulator.close()));
    },
  };
}
