import type { Clock } from '../clock.ts';
import type { ProviderName } from '../config/provider-settings.ts';
import type { ProviderConfig } from '../config/read-providers.ts';
import type { Phone } from '../phone.ts';
import type { Load } from './channel.ts';
import { type HttpProviderSettings, openHttpProvider } from './http/http-provider.ts';
import type { Contact, Provider } from './provider.ts';
import { openMobizon } from './sms/mobizon.ts';
import type { SmppSettings } from './sms/smpp/settings.ts';
import { openSmpp } from './sms/smpp/smpp.ts';
import { openSmsc } from './sms/smsc.ts';
import { openTelegramBot } from './telegram/bot.ts';
import { openTelegramGateway } from './telegram/gateway.ts';
import { openWhatsappCloud } from './whatsapp/cloud.ts';
import { openGreenApi } from './whatsapp/green-api.ts';

/** What providers cannot know by themselves. */
export type ProviderTools = {
  clock: Clock;
  /** Where a provider reports to; known once the server listens. */
  callbackUrl(provider: ProviderName): string;
  /** What short links begin with, where it is known; checks of the set-up compare it. */
  shortLinkBase?: string | undefined;
  /** The chat of somebody who has shown this phone to the bot. */
  findTelegramChat(phone: Phone): Promise<string | undefined>;
  /** Somebody whom a send has shown to be gone, or at a new address; not waited for. */
  onContact(contact: Contact): void;
  /** Whether somebody has written to the business within a day. */
  isWhatsappWindowOpen(phone: Phone): Promise<boolean>;
};

/** The reader of the settings has seen to it that what is required is there. */
type Values = Readonly<Record<string, string>> & Record<RequiredField, string>;
type RequiredField =
  | 'token'
  | 'phoneNumberId'
  | 'appSecret'
  | 'verifyToken'
  | 'codeTemplate'
  | 'instanceId'
  | 'callbackToken'
  | 'secretToken'
  | 'apiKey'
  | 'url'
  | 'secret'
  | 'carries';
type Open = (values: Values, tools: ProviderTools, name: ProviderName) => Provider;

const openHttp: Open = (values, tools, name) =>
  openHttpProvider(
    {
      ...toHttpSettings(values, name),
      get callbackUrl() {
        return tools.callbackUrl(name);
      },
    },
    tools.clock,
  );

const OPEN: Readonly<Record<ProviderName, Open>> = {
  'whatsapp-cloud': (values, { clock, shortLinkBase: linkBase, isWhatsappWindowOpen }) =>
    openWhatsappCloud({ ...values, linkBase }, clock, isWhatsappWindowOpen),
  'green-api': (values, tools) => openGreenApi(values, tools.clock),
  'http-whatsapp': openHttp,
  'telegram-gateway': (values, tools, name) =>
    openTelegramGateway(
      {
        ...values,
        get callbackUrl() {
          return tools.callbackUrl(name);
        },
      },
      tools.clock,
    ),
  'telegram-bot': (values, tools) =>
    openTelegramBot(values, tools.clock, {
      findChat: tools.findTelegramChat,
      onContact: tools.onContact,
    }),
  'http-telegram': openHttp,
  smpp: (values, tools) => openSmpp(toSmppSettings(values), tools.clock),
  smsc: (values, tools) => openSmsc(values, tools.clock),
  mobizon: (values, tools) => openMobizon(values, tools.clock),
  'http-sms': openHttp,
};

/** Opens the configured providers, in their order. */
export function openProviders(
  configs: readonly ProviderConfig[],
  tools: ProviderTools,
): Provider[] {
  return configs.map(({ provider, values }) => OPEN[provider](values as Values, tools, provider));
}

function toHttpSettings(values: Values, name: ProviderName): HttpProviderSettings {
  return {
    channel: name.replace('http-', '') as HttpProviderSettings['channel'],
    url: values.url,
    secret: values.secret,
    carries: values.carries.split(',') as Load[],
  };
}

function toSmppSettings(values: Readonly<Record<string, string>>): SmppSettings {
  const { port, tls, window, ratePerSecond, ...texts } = values;
  return {
    ...(texts as Pick<SmppSettings, 'host' | 'systemId' | 'password' | 'sender'>),
    port: Number(port),
    tls: tls === 'yes',
    window: Number(window),
    ...(ratePerSecond !== undefined && { ratePerSecond: Number(ratePerSecond) }),
  };
}
