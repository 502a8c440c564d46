/** Every provider with its simulator, and what the cases of every-provider.test.ts need of it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Simulator } from '../../../simulators/frame/simulator.ts';
import { type GreenApiOptions, startGreenApi } from '../../../simulators/green-api.ts';
import { type HttpProviderOptions, startHttpProvider } from '../../../simulators/http-provider.ts';
import { type MobizonOptions, startMobizon } from '../../../simulators/mobizon.ts';
import { type SmscOptions, startSmsc } from '../../../simulators/smsc.ts';
import { startTelegramBot } from '../../../simulators/telegram-bot.ts';
import {
  startTelegramGateway,
  type TelegramGatewayOptions,
} from '../../../simulators/telegram-gateway.ts';
import {
  startWhatsappCloud,
  type WhatsappCloudOptions,
} from '../../../simulators/whatsapp-cloud.ts';
import type { Outcome, Receipt } from '../../src/channels/channel.ts';
import {
  type HttpProviderSettings,
  openHttpProvider,
} from '../../src/channels/http/http-provider.ts';
import type { Contact, Provider, ProviderReport, Stop } from '../../src/channels/provider.ts';
import { openFileProvider } from '../../src/channels/provider-file/file-provider.ts';
import { type MobizonSettings, openMobizon } from '../../src/channels/sms/mobizon.ts';
import { openSmsc, type SmscSettings } from '../../src/channels/sms/smsc.ts';
import {
  openTelegramBot,
  type TelegramBotContacts,
  type TelegramBotSettings,
} from '../../src/channels/telegram/bot.ts';
import {
  openTelegramGateway,
  type TelegramGatewaySettings,
} from '../../src/channels/telegram/gateway.ts';
import {
  type IsWindowOpen,
  openWhatsappCloud,
  type WhatsappCloudSettings,
} from '../../src/channels/whatsapp/cloud.ts';
import { type GreenApiSettings, openGreenApi } from '../../src/channels/whatsapp/green-api.ts';
import { readProviderFile } from '../../src/config/provider-file/read-provider-file.ts';
import type { Scope } from './rig/local-server.ts';
import { ignoreReports, PHONE, soon, whenReached } from './rig/messages.ts';
import { type Changes, openRig } from './rig/open-rig.ts';
import { TOOLS } from './rig/tools.ts';
import { openTo, PASSWORD, SYSTEM_ID, startCentre, startRig } from './smpp-rig.ts';

/** Invented, and long enough to be found wherever they might leak to. */
export const GREEN_API = {
  token: 'd75b3a66374942c5b3c019c698abc2067e151558acbd41',
  callbackToken: 'callback-word-3f9a1c7e',
  instanceId: '1101000001',
};

export function openGreenRig(
  t: Scope,
  { settings, simulator }: Changes<GreenApiSettings, GreenApiOptions> = {},
) {
  return openRig(t, {
    simulator: (callbackUrl) => startGreenApi({ ...GREEN_API, callbackUrl, ...simulator }),
    provider: ({ url }) => openGreenApi({ ...GREEN_API, url, ...settings }, TOOLS),
  });
}

export const HTTP = { channel: 'sms', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' } as const;
export const OTHER_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
/** With everything that an address may have. */
export const HTTP_PATH = '/hooks/zhiber/?token=a%20b';

export function openHttpRig(
  t: Scope,
  { settings, simulator }: Changes<HttpProviderSettings, HttpProviderOptions> = {},
) {
  return openRig(t, {
    simulator: () => startHttpProvider({ secret: HTTP.secret, ...simulator }),
    provider: ({ url, callbackUrl }) =>
      openHttpProvider({ ...HTTP, url: url + HTTP_PATH, callbackUrl, ...settings }, TOOLS),
  });
}

export const MOBIZON = { apiKey: 'kz0123456789abcdef', callbackSecret: 'secret123' };

export function openMobizonRig(
  t: Scope,
  { settings, simulator }: Changes<MobizonSettings, MobizonOptions> = {},
) {
  return openRig(t, {
    simulator: (callbackUrl) => startMobizon({ ...MOBIZON, callbackUrl, ...simulator }),
    provider: ({ url }) => openMobizon({ ...MOBIZON, url, ...settings }, TOOLS),
  });
}

export const SMSC = {
  login: 'zhiber-login',
  password: 'pass-Word-1',
  callbackSecret: 'cb_secret',
};
export const SMSC_API_KEY = 'api-Key-2';

export function openSmscRig(
  t: Scope,
  { settings, simulator }: Changes<SmscSettings, SmscOptions> = {},
) {
  return openRig(t, {
    simulator: (callbackUrl) =>
      startSmsc({ ...SMSC, apiKey: SMSC_API_KEY, callbackUrl, ...simulator }),
    provider: ({ url }) => openSmsc({ ...SMSC, url, ...settings }, TOOLS),
  });
}

export const BOT = {
  token: '123456789:AAFbotTokenOfTheTestsWhichIsLongEno',
  secretToken: 'webhook-secret_of_the_tests',
};
const WRONG_BOT_TOKEN = '123456789:AAFanotherTokenThatWasNeverIssuedByT';
export const AIGUL = { userId: 501, phone: PHONE, name: 'Айгүл' };
export const GROUP = { chatId: -4_711, title: 'Заказы' };
export const GROUP_ID = String(GROUP.chatId);

/** A bot that Aigul has started, that is in one group, and whose updates come to the desk. */
export async function openBotRig(
  t: Scope,
  changes: {
    settings?: Partial<TelegramBotSettings>;
    contacts?: Partial<TelegramBotContacts>;
  } = {},
) {
  const told: Contact[] = [];
  const contacts: TelegramBotContacts = {
    findChat: async (phone) => (phone === PHONE ? String(AIGUL.userId) : undefined),
    onContact: (contact) => told.push(contact),
    ...changes.contacts,
  };
  const { provider, simulator, desk } = await openRig(t, {
    simulator: (url) =>
      startTelegramBot({ token: BOT.token, webhook: { url, secretToken: BOT.secretToken } }),
    provider: ({ url }) => openTelegramBot({ ...BOT, url, ...changes.settings }, TOOLS, contacts),
  });
  await simulator.start(AIGUL);
  await simulator.addBotToGroup(GROUP);
  const before = simulator.journal.taken().length;
  desk.contents = [];
  return { provider, simulator, desk, told, sent: () => simulator.journal.taken().slice(before) };
}

export const GATEWAY_TOKEN = 'AAEgatewayTokenOfTheTestsWhichIsLongEnough';
export const WRONG_GATEWAY_TOKEN = 'AAEanotherTokenThatTheGatewayHasNeverIssued';

/** Its reports come to the desk; without a `callbackUrl` its statuses can only be queried. */
export function openGatewayRig(
  t: Scope,
  { settings, simulator }: Changes<TelegramGatewaySettings, TelegramGatewayOptions> = {},
) {
  return openRig(t, {
    simulator: () => startTelegramGateway({ token: GATEWAY_TOKEN, ...simulator }),
    provider: ({ url, callbackUrl }) =>
      openTelegramGateway({ url, token: GATEWAY_TOKEN, callbackUrl, ...settings }, TOOLS),
  });
}

/** Invented, and long enough to be found wherever they might leak to. */
export const CLOUD = {
  token: 'EAAG-token-Zk81xQ0v3w7Lr5',
  appSecret: 'app-secret-9d8f7a6b5c4e3d2f',
  verifyToken: 'verify-word-5b1c9e7a',
  phoneNumberId: '106540352242922',
  wabaId: '102290129340398',
};
const TEMPLATES = { codeTemplate: 'otp_code', linkTemplate: 'link_notice' };

/** An authentication template with its code: in the text, and in the button that copies it. */
export function codeTemplate(code = '482913', inButton = code) {
  return {
    name: TEMPLATES.codeTemplate,
    language: { code: 'ru' },
    components: [
      { type: 'body', parameters: [{ type: 'text', text: code }] },
      {
        type: 'button',
        sub_type: 'url',
        index: '0',
        parameters: [{ type: 'text', text: inButton }],
      },
    ],
  };
}

/** `open` holds the phones that the service believes to have written. */
export async function openCloudRig(
  t: Scope,
  changes: Changes<WhatsappCloudSettings, WhatsappCloudOptions> & {
    isWindowOpen?: IsWindowOpen;
  } = {},
) {
  const open = new Set<string>();
  const stops: Stop[] = [];
  const isWindowOpen: IsWindowOpen = changes.isWindowOpen ?? (async (phone) => open.has(phone));
  const rig = await openRig(t, {
    simulator: (callbackUrl) => startWhatsappCloud({ ...CLOUD, callbackUrl, ...changes.simulator }),
    provider({ url }) {
      const settings = { ...CLOUD, ...TEMPLATES, url, ...changes.settings };
      return openWhatsappCloud(settings, TOOLS, {
        isWindowOpen,
        recordStop: async (stop) => void stops.push(stop),
      });
    },
  });
  return { ...rig, open, stops };
}

/** SMSC, described by a file instead of its adapter. */
const SMSC_FILE = path.join(import.meta.dirname, 'rig/smsc-by-file.json');

type FileRigSettings = { url?: string; password?: string };

export function openFileRig(t: Scope, { settings = {} }: { settings?: FileRigSettings } = {}) {
  return openRig(t, {
    simulator: (callbackUrl) => startSmsc({ ...SMSC, callbackUrl }),
    provider({ url, callbackUrl }) {
      const text = readFileSync(SMSC_FILE, 'utf8');
      const { description, mistakes } = readProviderFile(
        text.replaceAll('https://smsc.kz', settings.url ?? url),
      );
      if (description === undefined) throw new Error(mistakes.join());
      const secrets = {
        SMSC_LOGIN: SMSC.login,
        SMSC_PASSWORD: settings.password ?? SMSC.password,
        SMSC_CALLBACK: SMSC.callbackSecret,
      };
      return openFileProvider({ description, secrets, callbackUrl }, TOOLS);
    },
  });
}

/** What every case works with, whatever the transport. */
export type OpenedRig = {
  provider: Provider;
  simulator: Simulator;
  /** The receipts that were authentic, in the order they came. */
  reports(): readonly ProviderReport[];
  /** The ids whose status has to be queried, because the signature does not cover it. */
  unproven(): readonly string[];
  /** How many connections a provider with a permanent one has opened so far. */
  connections?(): number;
};

export type ProviderRig = {
  name: string;
  /** Frames over a permanent connection instead of HTTP calls. */
  isFramed?: true;
  open(t: Scope): Promise<OpenedRig>;
  /** With credentials that its simulator does not accept. */
  openWrong(t: Scope): Promise<OpenedRig>;
  /** With another address than that of its simulator. */
  openAt(t: Scope, url: string): Promise<OpenedRig>;
  /** Ends a call that is never answered. */
  giveUp(simulator: Simulator): AbortSignal;
  /** Its secrets, which must appear in no outcome, status, check, log or journal. */
  secrets: readonly string[];
  /** Nor must these: what it is opened with to be wrong, and parts of its secrets. */
  otherSecrets: readonly string[];
  /** The error code of one message that is refused, and that of a provider that cannot be used. */
  refusal: string | number;
  outage: string | number;
  /** The HTTP statuses that providers do not read alike. */
  statuses: Readonly<Record<number, Outcome['result']>>;
  isForGroups?: true;
  /** It can be asked for the status of a message. */
  hasStatus?: true;
  /** The receipts that it reports, besides failures. */
  receipts: readonly Receipt[];
  /** What the adapter makes of them, if it is something else: an SMS is never read. */
  heardAs?: readonly Receipt[];
  /** Its signature does not cover the status, so that the status has to be queried. */
  isUnproven?: true;
};

type OpenOverHttp<Settings> = (
  t: Scope,
  changes?: { settings?: Partial<Settings> },
) => Promise<Pick<Awaited<ReturnType<typeof openRig>>, 'provider' | 'simulator' | 'desk'>>;

function overHttp<Settings extends { url?: string | undefined }>(
  openHttp: OpenOverHttp<Settings>,
  wrong: Partial<Settings>,
) {
  const openWith = async (t: Scope, settings: Partial<Settings>): Promise<OpenedRig> => {
    const { provider, simulator, desk } = await openHttp(t, { settings });
    const unproven = () => desk.contents.flatMap((content) => content.unproven ?? []);
    return { provider, simulator, reports: desk.reports, unproven };
  };
  return {
    open: (t: Scope) => openWith(t, {}),
    openWrong: (t: Scope) => openWith(t, wrong),
    openAt: (t: Scope, url: string) => openWith(t, { url } as Partial<Settings>),
    giveUp: (simulator: Simulator) => whenReached(simulator),
    receipts: ['delivered', 'read'] as const,
  };
}

/** Long enough for a busy machine; the tests that wait for it do so side by side. */
export const SMPP_TIMEOUT_MS = 2_500;

/** Both mean, whatever the body, that nothing was sent. */
const CREDENTIALS_BY_STATUS = { 401: 'unavailable', 403: 'unavailable' } as const;

export const PROVIDER_RIGS: readonly ProviderRig[] = [
  {
    name: 'smpp',
    isFramed: true,
    async open(t) {
      const settings = { responseTimeoutMs: SMPP_TIMEOUT_MS };
      const { centre, provider, reports } = await startRig(t, { settings });
      return {
        provider,
        simulator: centre,
        // One that names another phone finds no message.
        reports: () => reports.filter((report) => 'phone' in report && report.phone === PHONE),
        unproven: () => [],
        connections: () => centre.figures().binds,
      };
    },
    openWrong: (t) => openSmppUnbound(t, { password: 'wrong-pw' }),
    openAt: (t, url) => openSmppUnbound(t, { port: Number(new URL(url).port) }),
    // It has a limit of its own for answers.
    giveUp: () => soon(),
    secrets: [SYSTEM_ID, PASSWORD],
    otherSecrets: ['wrong-pw'],
    refusal: 0x0b,
    outage: 0x64,
    statuses: {},
    receipts: ['delivered'],
  },
  {
    name: 'green-api',
    ...overHttp(openGreenRig, { token: 'another' }),
    secrets: [GREEN_API.token, GREEN_API.callbackToken],
    otherSecrets: [],
    refusal: 400,
    outage: 'expired',
    statuses: CREDENTIALS_BY_STATUS,
    isForGroups: true,
  },
  {
    name: 'http-provider',
    ...overHttp(openHttpRig, { secret: OTHER_SECRET }),
    heardAs: ['delivered', 'delivered'],
    secrets: [HTTP.secret],
    otherSecrets: [OTHER_SECRET, 'token'],
    refusal: 'Номер в чёрном списке',
    outage: 401,
    statuses: CREDENTIALS_BY_STATUS,
    isForGroups: true,
  },
  {
    name: 'mobizon',
    ...overHttp(openMobizonRig, { apiKey: 'wrong-key' }),
    secrets: Object.values(MOBIZON),
    otherSecrets: ['wrong-key'],
    refusal: 1,
    outage: 30,
    statuses: CREDENTIALS_BY_STATUS,
    hasStatus: true,
    receipts: ['delivered'],
    isUnproven: true,
  },
  {
    name: 'smsc',
    ...overHttp(openSmscRig, { password: 'wrong-password' }),
    heardAs: ['delivered', 'delivered'],
    secrets: Object.values(SMSC),
    otherSecrets: [SMSC_API_KEY, 'wrong-password'],
    refusal: 6,
    outage: 3,
    statuses: CREDENTIALS_BY_STATUS,
    hasStatus: true,
  },
  {
    name: 'provider file',
    ...overHttp(openFileRig, { password: 'wrong-password' }),
    heardAs: ['delivered', 'delivered'],
    secrets: Object.values(SMSC),
    otherSecrets: ['wrong-password'],
    refusal: 6,
    outage: 3,
    statuses: CREDENTIALS_BY_STATUS,
    hasStatus: true,
  },
  {
    name: 'telegram-bot',
    ...overHttp(openBotRig, { token: WRONG_BOT_TOKEN }),
    secrets: [BOT.token, BOT.secretToken],
    otherSecrets: [WRONG_BOT_TOKEN],
    refusal: 'blocked',
    outage: 'unauthorized',
    statuses: { 401: 'unknown', 404: 'unknown' },
    isForGroups: true,
    receipts: [],
  },
  {
    name: 'telegram-gateway',
    ...overHttp(openGatewayRig, { token: WRONG_GATEWAY_TOKEN }),
    secrets: [GATEWAY_TOKEN],
    otherSecrets: [WRONG_GATEWAY_TOKEN],
    refusal: 'PHONE_NUMBER_NOT_FOUND',
    outage: 'BALANCE_NOT_ENOUGH',
    statuses: { 401: 'unknown', 404: 'unknown' },
    hasStatus: true,
  },
  {
    name: 'whatsapp-cloud',
    ...overHttp(openCloudRig, { token: 'another' }),
    secrets: [CLOUD.token, CLOUD.appSecret, CLOUD.verifyToken],
    otherSecrets: [],
    refusal: 131026,
    outage: 131042,
    statuses: { 401: 'unknown', 403: 'unknown' },
  },
];

/** Started with settings that let it bind nowhere. */
async function openSmppUnbound(
  t: Scope,
  settings: { password?: string; port?: number },
): Promise<OpenedRig> {
  const simulator = await startCentre(t);
  const provider = openTo(simulator.port, settings);
  provider.start?.(ignoreReports);
  t.after(() => provider.stop?.());
  return { provider, simulator, reports: () => [], unproven: () => [] };
}
