import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { ProviderKind } from '../config/provider-settings.ts';
import type { FileProviderConfig } from '../config/read-provider-files.ts';
import type { ProviderConfig, SettingsProviderConfig } from '../config/read-providers.ts';
import type { Phone } from '../phone.ts';
import type { ContentKind } from './channel.ts';
import type { ProviderIds } from './combine-providers.ts';
import { type HttpProviderSettings, openHttpProvider } from './http/http-provider.ts';
import type { Contact, Provider, RecordStop } from './provider.ts';
import { openFileProvider } from './provider-file/file-provider.ts';
import { openMobizon } from './sms/mobizon.ts';
import { readSmppSettings } from './sms/smpp/read-settings.ts';
import { openSmpp } from './sms/smpp/smpp.ts';
import { openSmsc } from './sms/smsc.ts';
import { openTelegramBot } from './telegram/bot.ts';
import { openTelegramGateway } from './telegram/gateway.ts';
import { openWhatsappCloud } from './whatsapp/cloud.ts';
import { openGreenApi } from './whatsapp/green-api.ts';

/** What providers need from the rest of the server. */
export type ProviderTools = {
  clock: Clock;
  log: Logger;
  /** The callback address of a provider; known once the server listens. */
  callbackUrl(provider: string): string;
  /** The prefix of short links, once it is known; the buttons of templates have to lead there. */
  shortLinkBase?(): string | undefined;
  /** The chat of the person who has shared this phone with the bot. */
  findTelegramChat(phone: Phone): Promise<string | undefined>;
  /** Called when a send reveals that a chat is unreachable or has a new id; not awaited. */
  onContact(contact: Contact): void;
  /** Whether this phone has written to the business within a day. */
  isWhatsappWindowOpen(phone: Phone): Promise<boolean>;
  /** Called when a provider answers with the ids of a message that was settled as unknown before. */
  onLateIds?(provider: string, late: ProviderIds): void;
  /** Called when a send or a permanent connection reveals that somebody wants no broadcasts. */
  recordStop?: RecordStop;
};

/** The config reader has already checked that the required fields are present. */
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
type Open = (values: Values, tools: ProviderTools, config: SettingsProviderConfig) => Provider;

const openHttp: Open = (values, tools, { name, channel }) =>
  openHttpProvider(
    {
      ...toHttpSettings(values, { name, channel }),
      get callbackUrl() {
        return tools.callbackUrl(name);
      },
    },
    tools,
  );

const OPEN: Readonly<Record<ProviderKind, Open>> = {
  'whatsapp-cloud': (values, tools) =>
    openWhatsappCloud(
      {
        ...withRate(values),
        get linkBase() {
          return tools.shortLinkBase?.();
        },
      },
      tools,
      {
        isWindowOpen: tools.isWhatsappWindowOpen,
        ...(tools.recordStop && { recordStop: tools.recordStop }),
      },
    ),
  'green-api': (values, tools) => openGreenApi(values, tools),
  'http-whatsapp': openHttp,
  'telegram-gateway': (values, tools, { name }) =>
    openTelegramGateway(
      {
        ...values,
        get callbackUrl() {
          return tools.callbackUrl(name);
        },
      },
      tools,
    ),
  'telegram-bot': (values, tools, { name }) =>
    openTelegramBot(
      {
        ...withRate(values),
        get callbackUrl() {
          return tools.callbackUrl(name);
        },
      },
      tools,
      { findChat: tools.findTelegramChat, onContact: tools.onContact },
    ),
  'http-telegram': openHttp,
  smpp: (values, tools, { name }) => openSmpp(readSmppSettings(values, name), tools),
  smsc: (values, tools) => openSmsc(withRate(values), tools),
  mobizon: (values, tools) => openMobizon(withRate(values), tools),
  'http-sms': openHttp,
};

/** Opens the configured providers, in the configured order. */
export function openProviders(
  configs: readonly ProviderConfig[],
  tools: ProviderTools,
): Provider[] {
  return configs.map((config) =>
    config.kind === 'file'
      ? openFile(config, tools)
      : OPEN[config.kind](config.values as Values, tools, config),
  );
}

function openFile({ name, description, values }: FileProviderConfig, tools: ProviderTools) {
  return openFileProvider(
    {
      description,
      secrets: values,
      get callbackUrl() {
        return tools.callbackUrl(name);
      },
    },
    tools,
  );
}

function toHttpSettings(
  values: Values,
  { name, channel }: Pick<ProviderConfig, 'name' | 'channel'>,
): HttpProviderSettings {
  return {
    name,
    channel,
    url: values.url,
    secret: values.secret,
    carries: values.carries.split(',') as ContentKind[],
    ratePerSecond: withRate(values).ratePerSecond,
  };
}

/** The settings with their rate as a number; the config reader has checked that it is one. */
function withRate<Given extends Readonly<Record<string, string>>>(values: Given) {
  const { ratePerSecond } = values;
  const rate = ratePerSecond === undefined ? undefined : Number(ratePerSecond);
  return { ...values, ratePerSecond: rate };
}
