/**
 * Meta's Cloud API: sending, the templates of the account, the 24-hour window for free text, and
 * signed webhooks. A marketing template to a phone that ends with 131050, or whose owner stopped them
 * (the act `stop-marketing`), is refused with that code. A plan's `to` is a phone in digits. With `refuse`, `code` is one of Meta's
 * codes; with `accept`, it is the `message_status` of the answer.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { type Acts, act } from './frame/control.ts';
import {
  type PlannedReply,
  type Protocol,
  type ProtocolContext,
  type SimulatorOptions,
  startHttpSimulator,
} from './frame/http-simulator.ts';
import { withoutPlus } from './frame/phone.ts';
import type { SimulatedReceipt } from './frame/plan.ts';
import { readJson } from './frame/read-body.ts';
import { callOnce } from './frame/reports.ts';
import {
  BadRequest,
  flag,
  integerFrom,
  oneOf,
  optional,
  phone,
  text,
} from './frame/request-fields.ts';
import type { SimulatedCall, Simulator } from './frame/simulator.ts';
import type { Reply } from './frame/transmit.ts';
import {
  isRefusal,
  type ReadMessage,
  type Refusal,
  readMessage,
  TEMPLATE_STATUSES,
  type Template,
} from './whatsapp/cloud-rules.ts';
import { change, inbound, statusOf, webhook } from './whatsapp/cloud-webhook.ts';
import { graphError } from './whatsapp/graph-error.ts';

export type WhatsappCloudOptions = SimulatorOptions & {
  token: string;
  phoneNumberId: string;
  wabaId: string;
  appSecret: string;
  verifyToken: string;
  /** Where webhooks go; none are sent without it. */
  callbackUrl?: string;
  version?: string;
  templates?: readonly Template[];
  /** The limit per person: one message in six seconds, with a burst of 45; off by default. */
  hasPairLimit?: boolean;
};

export type WhatsappCloudSimulator = Simulator & {
  /** The templates of the account; a test may change them. */
  templates: Template[];
  /** A person writes to the business, which opens the window; returns the webhook status. */
  writeToBusiness(phone: string, text?: string, isForged?: boolean): Promise<number | undefined>;
  /** The handshake when the operator enters the callback address; whether it succeeded. */
  subscribe(): Promise<boolean>;
  /** A webhook with news of the account; returns the status of the service. */
  notify(field: string, value: object): Promise<number>;
  /** Meta changes the status of a template, in all its languages, and notifies of each. */
  setTemplate(name: string, status: Template['status']): Promise<number>;
  /** One webhook with many statuses. */
  reportTogether(statuses: readonly { id: string; receipt: SimulatedReceipt }[]): Promise<number>;
};

/** The templates that an account needs for codes and links, in both languages. */
export function usualTemplates(shortLinkBase: string): readonly Template[] {
  return ['ru', 'kk'].flatMap((language) => [
    {
      name: 'otp_code',
      language,
      category: 'AUTHENTICATION',
      status: 'APPROVED',
      body: '*{{1}}* — ваш код подтверждения.',
      buttonUrl: 'https://www.whatsapp.com/otp/code/?code=',
    },
    {
      name: 'link_notice',
      language,
      category: 'UTILITY',
      status: 'APPROVED',
      body: 'Сообщение: {{1}}. Откройте ссылку кнопкой ниже.',
      buttonUrl: `${shortLinkBase}/`,
    },
  ]);
}

/** An approved template for broadcasts, with two values, a stop button and a link. */
export function marketingTemplate(
  shortLinkBase: string,
  changes: Partial<Template> = {},
): Template {
  return {
    name: 'autumn_sale',
    language: 'ru',
    category: 'MARKETING',
    status: 'APPROVED',
    body: 'Здравствуйте, {{1}}! Скидка {{2}} до конца недели.',
    quickReplies: ['СТОП'],
    buttonUrl: `${shortLinkBase}/`,
    ...changes,
  };
}
export const USUAL_TEMPLATES = usualTemplates('https://zhiber.kz/s');

const WINDOW_MS = 24 * 3_600_000;
const PAIR_INTERVAL_MS = 6_000;
const PAIR_BURST = 45;
const PAGE_SIZE = 25;
/** The end of a phone whose owner wants no marketing messages, as if by the switch in WhatsApp. */
const STOPPED_SUFFIX = '131050';

export async function startWhatsappCloud(
  options: WhatsappCloudOptions,
): Promise<WhatsappCloudSimulator> {
  const account = openAccount(options);
  const sender = (isForged = false) =>
    options.callbackUrl === undefined
      ? undefined
      : {
          ...options,
          callbackUrl: options.callbackUrl,
          appSecret: isForged ? randomUUID() : options.appSecret,
        };
  const protocol: Protocol = {
    name: 'whatsapp-cloud',
    refusalCode: integerFrom(0),
    answer: (call, context) => answer(call, context, options, account),
    toReport(message, receipt, plan) {
      const to = sender(plan.isForged);
      return to && webhook(to, { statuses: [statusOf(message, receipt, plan.failure)] });
    },
  };
  const writeToBusiness: WhatsappCloudSimulator['writeToBusiness'] = async (
    from,
    content = 'Здравствуйте',
    isForged = false,
  ) => {
    if (!isForged) account.windows.set(from, Date.now());
    const to = sender(isForged);
    return to && (await callOnce(webhook(to, inbound(from, content))));
  };
  const notify: WhatsappCloudSimulator['notify'] = async (field, value) => {
    const to = sender();
    return to === undefined ? 0 : await callOnce(change(to, field, value)).catch(() => 0);
  };
  const setTemplate: WhatsappCloudSimulator['setTemplate'] = async (name, status) => {
    const matching = account.templates.filter((template) => template.name === name);
    for (const template of matching) {
      template.status = status;
      await notify('message_template_status_update', {
        event: status,
        message_template_id: 594_400,
        message_template_name: name,
        message_template_language: template.language,
        reason: 'NONE',
        message_template_category: template.category,
      });
    }
    return matching.length;
  };
  const acts = createActs({
    writeToBusiness,
    setTemplate,
    stop: (whose) => account.stopped.add(whose),
    subscribe: () => subscribe(options),
  });
  const simulator = await startHttpSimulator({ ...protocol, acts }, options);
  return {
    ...simulator,
    templates: account.templates,
    writeToBusiness,
    notify,
    setTemplate,
    subscribe: () => subscribe(options),
    async reportTogether(statuses) {
      const to = sender();
      if (to === undefined) throw new Error('no address for webhooks');
      const taken = new Map(simulator.journal.taken().map((message) => [message.id, message]));
      const all = statuses.map(({ id, receipt }) => {
        const message = taken.get(id);
        if (message === undefined) throw new Error(`took no message ${id}`);
        return statusOf(message, receipt);
      });
      return await callOnce(webhook(to, { statuses: all }));
    },
  };
}

/** The acts of people, the operator and Meta that the control API can trigger. */
function createActs({
  writeToBusiness,
  setTemplate,
  stop,
  subscribe: runHandshake,
}: Pick<WhatsappCloudSimulator, 'writeToBusiness' | 'subscribe' | 'setTemplate'> & {
  stop(phone: string): void;
}): Acts {
  return {
    write: act({ phone, text: optional(text), isForged: optional(flag) }, async (given) => {
      const from = withoutPlus(given.phone);
      // Meta retries a webhook that it cannot deliver; here it is lost, but the window is open.
      const status = await writeToBusiness(from, given.text, given.isForged).catch(() => 0);
      return { serviceStatus: status ?? 0 };
    }),
    'stop-marketing': act({ phone }, (given) => {
      stop(withoutPlus(given.phone));
      return {};
    }),
    subscribe: act({}, async () => ({ isAgreed: await runHandshake().catch(() => false) })),
    'set-template': act(
      { name: text, status: oneOf(TEMPLATE_STATUSES) },
      async ({ name, status }) => {
        const changed = await setTemplate(name, status);
        if (changed === 0) throw new BadRequest(`There is no template "${name}".`);
        return { changed };
      },
    ),
  };
}

type Account = {
  templates: Template[];
  /** People who have stopped marketing messages. */
  stopped: Set<string>;
  /** When each person last wrote. */
  windows: Map<string, number>;
  /** Whether one more message to this person exceeds the pair limit; counts it if not. */
  isPairBusy(phone: string): boolean;
};

function openAccount({ templates, hasPairLimit }: WhatsappCloudOptions): Account {
  const borrowedUntil = new Map<string, number>();
  return {
    templates: (templates ?? USUAL_TEMPLATES).map((template) => ({ ...template })),
    stopped: new Set(),
    windows: new Map(),
    isPairBusy(phone) {
      if (hasPairLimit !== true) return false;
      const now = Date.now();
      const until = Math.max(now, borrowedUntil.get(phone) ?? 0) + PAIR_INTERVAL_MS;
      if (until - now > PAIR_BURST * PAIR_INTERVAL_MS) return true;
      borrowedUntil.set(phone, until);
      return false;
    },
  };
}

function answer(
  call: SimulatedCall,
  context: ProtocolContext,
  options: WhatsappCloudOptions,
  account: Account,
): Reply | PlannedReply {
  const [, version, id, edge] = call.path.split('/');
  if (version !== (options.version ?? 'v25.0')) return graphError(2500, 'Unknown path components');
  if (call.headers.authorization !== `Bearer ${options.token}`) {
    return graphError(190, 'Invalid OAuth access token');
  }
  const isNumber = id === options.phoneNumberId;
  if (call.method === 'POST' && isNumber && edge === 'messages')
    return send(call, context, account);
  if (call.method === 'GET' && isNumber && edge === undefined) return describeNumber(options);
  if (call.method === 'GET' && id === options.wabaId && edge === 'message_templates') {
    return listTemplates(account, call.query);
  }
  return graphError(100, 'Unsupported request. The object does not exist, or may not be used');
}

function send(
  call: SimulatedCall,
  context: ProtocolContext,
  account: Account,
): Reply | PlannedReply {
  const message = readMessage(call.body, account.templates);
  if (isRefusal(message)) return graphError(message.code, message.details);
  const { to, ref, code, text, type } = message;
  const plan = context.planFor(to);
  const refusal = plan.does === 'refuse' ? refusalFor(plan.code) : findRefusal(message, account);
  if (refusal !== undefined) {
    context.journal.write({
      event: 'refused',
      to,
      ...(ref && { ref }),
      code: String(refusal.code),
    });
    const reply = graphError(refusal.code, refusal.details);
    return { ...reply, plan: { ...plan, does: 'refuse' }, taken: undefined };
  }
  const wamid = `wamid.${randomBytes(21).toString('base64')}`;
  const details = readJson(call.body) ?? {};
  const extras = { ...(ref && { ref }), ...(code && { code }), details };
  const taken = context.take(plan, { id: wamid, to, text, ...extras });
  const messageStatus = type === 'template' ? { message_status: plan.code ?? 'accepted' } : {};
  const body = JSON.stringify({
    messaging_product: 'whatsapp',
    contacts: [{ input: details.to, wa_id: to }],
    messages: [{ id: taken?.id ?? wamid, ...messageStatus }],
  });
  return { status: 200, body, plan, taken };
}

function refusalFor(code: string | number | undefined): Refusal {
  return { code: Number(code ?? 131026), details: 'as planned' };
}

/** The refusals that depend on the person, not on the call alone. */
function findRefusal(
  { to, type, isMarketing }: ReadMessage,
  account: Account,
): Refusal | undefined {
  if (isMarketing && (to.endsWith(STOPPED_SUFFIX) || account.stopped.has(to))) {
    return { code: 131050, details: 'The person has stopped marketing messages of this business' };
  }
  const isOpen = Date.now() - (account.windows.get(to) ?? 0) < WINDOW_MS;
  if (type === 'text' && !isOpen) {
    return { code: 131047, details: 'More than 24 hours have passed since the last reply' };
  }
  if (account.isPairBusy(to)) return { code: 131056, details: 'Too many messages to this person' };
  return undefined;
}

function describeNumber({ phoneNumberId }: WhatsappCloudOptions): Reply {
  const number = { verified_name: 'Zhiber', quality_rating: 'GREEN', id: phoneNumberId };
  return { status: 200, body: JSON.stringify(number) };
}

/** The filter by name matches longer names too. A cursor is the number of templates before it. */
function listTemplates({ templates }: Account, query: URLSearchParams): Reply {
  const matching = templates.filter(({ name }) => name.includes(query.get('name') ?? ''));
  const start = Number(query.get('after') ?? 0);
  const end = start + Number(query.get('limit') ?? PAGE_SIZE);
  const found = matching.slice(start, end);
  const hasComponents = query.get('fields')?.split(',').includes('components') === true;
  const data = found.map((template, i) => {
    const { name, language, category, status } = template;
    const components = hasComponents ? { components: toComponents(template) } : {};
    return { name, language, category, status, ...components, id: String(594_400 + i) };
  });
  const isLast = end >= matching.length;
  const paging = {
    cursors: { before: String(start), after: String(end) },
    ...(!isLast && { next: `https://graph.facebook.com/next?after=${end}` }),
  };
  return { status: 200, body: JSON.stringify({ data, paging }) };
}

/** Meta lists the button of an authentication template as a URL button, too. */
function toComponents({ body, buttonUrl, quickReplies = [], header }: Template): object[] {
  const replies = quickReplies.map((label) => ({ type: 'QUICK_REPLY', text: label }));
  const link = { type: 'URL', text: 'Открыть', url: `${buttonUrl}{{1}}` };
  const buttons = [...replies, ...(buttonUrl === undefined ? [] : [link])];
  return [
    ...(header === undefined ? [] : [{ type: 'HEADER', ...header }]),
    { type: 'BODY', text: body },
    ...(buttons.length === 0 ? [] : [{ type: 'BUTTONS', buttons }]),
  ];
}

async function subscribe({ callbackUrl, verifyToken }: WhatsappCloudOptions): Promise<boolean> {
  if (callbackUrl === undefined) throw new Error('no address for webhooks');
  const url = new URL(callbackUrl);
  const challenge = String(randomBytes(4).readUInt32BE());
  url.searchParams.set('hub.mode', 'subscribe');
  url.searchParams.set('hub.challenge', challenge);
  url.searchParams.set('hub.verify_token', verifyToken);
  const response = await fetch(url);
  return response.status === 200 && (await response.text()) === challenge;
}
