import { readConfig } from '../../config/config.ts';
import type { Given } from '../grammar/command.ts';
import { type Call, Refusal, type Report, UsageError } from '../grammar/command.ts';

/** A send may try several channels; the server's own deadline is much shorter. */
const ANSWER_TIMEOUT_MS = 30_000;

/** The options of every command that calls a running server. */
export const CLIENT_OPTIONS = { key: 'text', url: 'text' } as const;

/** Calls a running server over HTTP, as an integrator does, and reports its answer unchanged. */
export async function callApi(
  call: Call,
  { path, body }: { path: string; body: object },
): Promise<Report> {
  const answer = await callServer(call, { url: (base) => `${base}${path}`, body });
  return { facts: answer, lines: toLines(answer), exitCode: answer.success === true ? 0 : 1 };
}

export type Answer = Record<string, unknown>;

/** The answer of a running server: a POST with a body, otherwise a GET. */
export async function callServer(
  { given, env }: Call,
  { url, body }: { url(base: string): string; body?: object },
): Promise<Answer> {
  const key = given.text('key') ?? env.ZHIBER_KEY;
  if (!key) throw new UsageError((texts) => texts.keyNeeded);
  const base = baseUrl(given, env);
  return await request(url(base), key, body).catch((error: unknown) => {
    if (error instanceof Refusal) throw error;
    throw new Refusal((texts) => texts.noServer(base));
  });
}

async function request(url: string, key: string, body: object | undefined): Promise<Answer> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  const answer: unknown = await response.json().catch(() => undefined);
  const isZhiber = typeof answer === 'object' && answer !== null && 'success' in answer;
  if (!isZhiber) throw new Refusal((texts) => texts.notZhiber(url, response.status));
  return answer as Answer;
}

/** The message first, then the rest of the answer, a line each. */
export function toLines({ success, message, ...rest }: Answer): string[] {
  const details = Object.entries(rest).map(([name, value]) => {
    return `  ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  });
  return [`${success === true ? '✓' : '✗'} ${message}`, ...details];
}

/** The base URL of the API; a bare host stands for its /api. */
function baseUrl(given: Given, env: Call['env']): string {
  const text = given.text('url') ?? env.ZHIBER_URL;
  if (!text) return `http://localhost:${readConfig(env).port}/api`;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError((texts) => texts.badUrl(text));
  }
  return url.pathname === '/' ? `${url.origin}/api` : url.href.replace(/\/+$/, '');
}
