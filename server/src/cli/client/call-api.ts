import { readConfig } from '../../config/config.ts';
import type { Given } from '../grammar/arguments.ts';
import { type Call, Refusal, type Report, UsageError } from '../grammar/command.ts';

/** A send may try several channels; the server itself gives up long before. */
const ANSWER_LIMIT_MS = 30_000;

/** The options of every command that speaks to a running server. */
export const CLIENT_OPTIONS = { key: 'text', url: 'text' } as const;

/** Asks a running server the way an integrator does, over HTTP, and reports its answer as it is. */
export async function callApi(
  { given, env }: Call,
  request: { path: string; body: object },
): Promise<Report> {
  const key = given.text('key') ?? env.ZHIBER_KEY;
  if (!key) throw new UsageError((texts) => texts.keyNeeded);
  const base = baseOf(given, env);
  const answer = await post(`${base}${request.path}`, key, request.body).catch((error: unknown) => {
    if (error instanceof Refusal) throw error;
    throw new Refusal((texts) => texts.noServer(base));
  });
  return { facts: answer, lines: linesOf(answer), exitCode: answer.success === true ? 0 : 1 };
}

type Answer = Record<string, unknown>;

async function post(url: string, key: string, body: object): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  const answer: unknown = await response.json().catch(() => undefined);
  const isOurs = typeof answer === 'object' && answer !== null && 'success' in answer;
  if (!isOurs) throw new Refusal((texts) => texts.notZhiber(url, response.status));
  return answer as Answer;
}

/** The message first, then the rest of the answer, a line each. */
function linesOf({ success, message, ...rest }: Answer): string[] {
  const details = Object.entries(rest).map(([name, value]) => {
    return `  ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  });
  return [`${success === true ? '✓' : '✗'} ${message}`, ...details];
}

/** The address of the API; a bare host is taken to mean its /api. */
function baseOf(given: Given, env: Call['env']): string {
  const text = given.text('url') ?? env.ZHIBER_URL;
  if (!text) return `http://localhost:${readConfig(env).port}/api`;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError((texts) => texts.badUrl(text));
  }
  return url.pathname === '/' ? `${url.origin}/api` : url.href.replace(/\/+$/, '');
}
