import { setTimeout as pause } from 'node:timers/promises';
import { callHeaders } from '../../webhooks/call-headers.ts';
import type { ListenedEvent } from '../../webhooks/listen-to-events.ts';
import { signWithAll } from '../../webhooks/webhook-secret.ts';
import { type Call, type Command, Refusal, UsageError } from '../grammar/command.ts';
import { requiredOption } from '../grammar/values.ts';
import { CLIENT_OPTIONS, callServer } from './call-api.ts';

/** Less than what a call may take. */
const WAIT_SECONDS = 20;
const FORWARD_TIMEOUT_MS = 10_000;
/** While the server is being restarted. */
const AWAY_MS = 1_000;

type Heard = { secret: string; events: ListenedEvent[] };

/**
 * Fetches the events of a company and forwards them to a server that only this machine can reach,
 * signed as a webhook. Runs until it is stopped.
 */
export const listen: Command = {
  name: 'listen',
  usage: '--forward-to URL [--events a,b] [--print-secret] --key KEY [--url BASE]',
  summary: {
    en: 'Forwards the events of a company to a server on this machine',
    ru: 'Пересылает события компании серверу на этой машине',
  },
  options: { ...CLIENT_OPTIONS, 'forward-to': 'text', events: 'text', 'print-secret': 'switch' },
  async run(call) {
    const target = readTarget(requiredOption(call.given, 'forward-to'));
    const { texts } = call;
    // The first question waits for nothing: a wrong key is told at once.
    let heard = await hear(call, 0);
    if (call.given.isOn('print-secret')) {
      return { facts: { secret: heard.secret }, lines: [heard.secret] };
    }
    say(call, { listening: target, secret: heard.secret }, [
      texts.listening(target),
      texts.listenerSecret(heard.secret),
    ]);
    for (;;) {
      for (const event of heard.events) await forward(call, target, heard.secret, event);
      heard = await hearAgain(call, heard.secret);
    }
  },
};

export const trigger: Command = {
  name: 'trigger',
  usage: 'EVENT --key KEY [--url BASE]',
  summary: {
    en: 'Makes a sample event, such as message.delivered',
    ru: 'Создаёт событие для примера, например message.delivered',
  },
  options: CLIENT_OPTIONS,
  operands: ['EVENT'],
  async run(call) {
    const type = call.given.operands[0] as string;
    const answer = accepted(await callServer(call, { url: sandboxUrl(), body: { type } }));
    return { facts: answer, lines: [call.texts.triggered(type, Number(answer.endpoints))] };
  },
};

const sandboxUrl =
  (query = '') =>
  (base: string) =>
    `${new URL(base).origin}/sandbox/events${query}`;

async function hear(call: Call, waitSeconds: number): Promise<Heard> {
  const events = call.given.text('events');
  const chosen = events === undefined ? '' : `&events=${encodeURIComponent(events)}`;
  const answer = await callServer(call, { url: sandboxUrl(`?wait=${waitSeconds}${chosen}`) });
  return accepted(answer) as Heard;
}

/** A restart of the server does not end it. */
async function hearAgain(call: Call, secret: string): Promise<Heard> {
  try {
    return await hear(call, WAIT_SECONDS);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await pause(AWAY_MS);
    return { secret, events: [] };
  }
}

function accepted(answer: Record<string, unknown>): Record<string, unknown> {
  if (answer.success === true) return answer;
  const errors = Object.values((answer.errors ?? {}) as Record<string, string[]>).flat();
  const message = errors[0] ?? String(answer.message);
  throw new Refusal((texts) => texts.serverRefused(message));
}

async function forward(
  call: Call,
  target: string,
  secret: string,
  { id, type, body }: ListenedEvent,
): Promise<void> {
  const { texts } = call;
  const startedMs = performance.now();
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers: callHeaders(signWithAll([secret], { id, body, at: new Date() })),
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(FORWARD_TIMEOUT_MS),
    });
    await response.body?.cancel();
    const { status } = response;
    const ms = Math.round(performance.now() - startedMs);
    say(call, { id, type, status, duration_ms: ms }, [texts.forwarded(type, status, ms)]);
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    const reason = cause?.code ?? message;
    say(call, { id, type, error: reason }, [texts.notForwarded(type, reason)]);
  }
}

/** A line for each event, as it comes: with --json one object. */
function say({ isJson }: Call, facts: object, lines: readonly string[]): void {
  console.log(isJson ? JSON.stringify(facts) : lines.join('\n'));
}

/** `4000/hook` and `localhost:4000/hook` are short for the local server. */
function readTarget(text: string): string {
  const full = /^\d+(?:\/|$)/.test(text)
    ? `http://localhost:${text}`
    : /^https?:\/\//.test(text)
      ? text
      : `http://${text.replace(/^:/, 'localhost:')}`;
  const url = URL.parse(full);
  if (url === null) throw new UsageError((texts) => texts.badUrl(text));
  return url.href;
}
