/**
 * The part of the Bot API that sending needs (core.telegram.org/bots/api), and the people who use
 * the bot. A plan's `to` is a chat id. With `refuse`, `code` is a name in telegram/refusals.ts, or
 * `flood` (for `retryAfter` seconds), or `migrate`.
 */

import {
  type PlannedReply,
  type ProtocolContext,
  type SimulatorOptions,
  startHttpSimulator,
} from './frame/http-simulator.ts';
import type { Journal, TakenMessage } from './frame/journal.ts';
import type { Plan } from './frame/plan.ts';
import { text } from './frame/request-fields.ts';
import type { Simulator } from './frame/simulator.ts';
import type { Reply } from './frame/transmit.ts';
import { botActs } from './telegram/acts.ts';
import {
  type Chat,
  type Chats,
  createChats,
  findWritable,
  toChatObject,
} from './telegram/chats.ts';
import { isCallableUrl, type Parameters, readParameters } from './telegram/parameters.ts';
import { createPeople, type TelegramPeople } from './telegram/people.ts';
import {
  flood,
  moved,
  REFUSALS,
  type Refusal,
  refusalNamed,
  toReply,
} from './telegram/refusals.ts';
import {
  createWebhook,
  nowSeconds,
  type Webhook,
  type WebhookSettings,
} from './telegram/webhook.ts';

export type TelegramBotOptions = SimulatorOptions & {
  /** The token it accepts: digits, a colon, and 35 characters. */
  token: string;
  username?: string;
  /** Where updates go until somebody calls setWebhook. */
  webhook?: WebhookSettings;
};

export type TelegramBotSimulator = Simulator &
  TelegramPeople & {
    /** Retries the updates that the service has not accepted. */
    repeatUpdates(): Promise<number>;
  };

type State = { bot: object; chats: Chats; webhook: Webhook; lastMessageId: number };
type Method = (
  state: State,
  parameters: Parameters,
  context: ProtocolContext,
) => Reply | PlannedReply;

export async function startTelegramBot(options: TelegramBotOptions): Promise<TelegramBotSimulator> {
  const { token, username = 'zhiber_test_bot', firstNumber = 0 } = options;
  const bot = { id: Number.parseInt(token, 10), is_bot: true, first_name: 'Zhiber', username };
  const chats = createChats();
  const webhook = createWebhook((call) => executeAnswer(state, call, simulator.journal));
  const state: State = { bot, chats, webhook, lastMessageId: firstNumber };
  if (options.webhook !== undefined) webhook.set(options.webhook);
  const people = createPeople({ chats, webhook, bot });

  const simulator = await startHttpSimulator(
    {
      name: 'telegram-bot',
      refusalCode: text,
      acts: botActs(people, webhook.repeat),
      answer(call, context) {
        const [, givenToken = '', name = ''] = /^\/bot([^/]*)\/(\w+)$/.exec(call.path) ?? [];
        if (givenToken !== token) {
          const isWellFormed = /^\d+:[\w-]+$/.test(givenToken);
          return toReply(isWellFormed ? REFUSALS.unauthorized : REFUSALS.not_found);
        }
        const method = METHODS.get(name.toLowerCase());
        return method?.(state, readParameters(call), context) ?? toReply(REFUSALS.not_found);
      },
    },
    options,
  );
  return { ...simulator, ...people, repeatUpdates: webhook.repeat };
}

const METHODS = new Map<string, Method>([
  ['getme', ({ bot }) => success(bot)],
  ['sendmessage', sendMessage],
  ['setwebhook', setWebhook],
  ['getwebhookinfo', ({ webhook }) => success(webhook.show())],
]);

function sendMessage(state: State, parameters: Parameters, context: ProtocolContext): PlannedReply {
  const to = String(parameters.chat_id ?? '');
  const found = findWritable(state.chats, parameters);
  // An invalid call is refused whatever the plan says.
  const plan: Plan = 'status' in found ? { does: 'accept' } : context.planFor(to);
  const answer = 'status' in found || plan.does !== 'refuse' ? found : refuse(state, found, plan);
  if ('status' in answer) {
    context.journal.write({ event: 'refused', to, code: answer.description });
    return { ...toReply(answer), plan, taken: undefined };
  }
  const message = toMessage(state, answer, parameters);
  const taken = context.take(plan, message);
  const { id, text } = taken ?? message;
  const chat = toChatObject(answer);
  const message_id = Number(id.split('/')[1]);
  const sent = { message_id, from: state.bot, chat, date: nowSeconds(), text };
  return { ...success(sent), plan, taken };
}

function refuse({ chats }: State, chat: Chat, plan: Plan): Refusal {
  switch (plan.code) {
    case 'flood':
      return flood(plan.retryAfter ?? 7);
    case 'migrate':
      return moved(chats.upgrade(chat).id);
    default:
      return refusalNamed(String(plan.code ?? 'chat_not_found'));
  }
}

function toMessage(state: State, chat: Chat, parameters: Parameters): TakenMessage {
  const { chat_id: _, text, ...details } = parameters;
  state.lastMessageId += 1;
  const id = `${chat.id}/${state.lastMessageId}`;
  return { id, to: String(chat.id), text: String(text), details };
}

/** Runs the method call in the response to an update; its result is not returned. */
function executeAnswer(
  state: State,
  { method, ...parameters }: Parameters,
  journal: Journal,
): void {
  const isKnown = String(method).toLowerCase() === 'sendmessage';
  const found = isKnown ? findWritable(state.chats, parameters) : REFUSALS.not_found;
  if ('status' in found) {
    const to = String(parameters.chat_id ?? '');
    journal.write({ event: 'refused', to, code: found.description });
  } else {
    journal.write({ event: 'taken', ...toMessage(state, found, parameters) });
  }
}

function setWebhook({ webhook }: State, parameters: Parameters): Reply {
  const { url = '', secret_token: secret, allowed_updates: kinds } = parameters;
  if (url !== '' && !isCallableUrl(url)) return toReply(REFUSALS.bad_webhook);
  if (secret !== undefined && !/^[\w-]{1,256}$/.test(String(secret))) {
    return toReply(REFUSALS.bad_secret);
  }
  webhook.set({
    url: String(url),
    secretToken: secret === undefined ? undefined : String(secret),
    allowedUpdates: Array.isArray(kinds) ? kinds : undefined,
  });
  return { status: 200, body: '{"ok":true,"result":true,"description":"Webhook was set"}' };
}

function success(result: unknown): Reply {
  return { status: 200, body: JSON.stringify({ ok: true, result }) };
}
