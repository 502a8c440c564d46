import type { Logger } from 'pino';
import { atMostEachMinute } from '../../runtime/each-minute.ts';
import type { ProviderAnswer } from '../../runtime/provider-client.ts';
import type { Outcome, OutgoingMessage } from '../channel.ts';
import { redact } from './redact.ts';

/** Returns the outcome as it is. */
export type LogUnclear = (
  outcome: Outcome,
  answer: ProviderAnswer,
  message: OutgoingMessage,
) => Outcome;

const SHOWN_LENGTH_MAX = 200;

/**
 * Logs the answers of a provider that leave the outcome of a message unknown: the status and how the
 * body begins, without secrets. One a minute, with the number of those since the last.
 */
export function createUnclearLog({
  name,
  log,
  settings,
}: {
  name: string;
  log: Logger;
  /** The settings of the provider: none of their values is logged. */
  settings: object;
}): LogUnclear {
  type Unclear = { answer: { status: number; text: string }; message: OutgoingMessage };
  const write = atMostEachMinute<Unclear>(({ answer, message }, count) => {
    const { text, code, link, template, ref } = message;
    const texts = [text, code, link, ...(template?.variables ?? [])];
    const body = redact(answer.text, {
      settings: Object.values(settings).filter(isText).flatMap(withParameters),
      texts: texts.filter(isText),
    });
    const fields = { provider: name, status: answer.status, message_id: ref.messageId, count };
    log.warn(
      { ...fields, body: [...body].slice(0, SHOWN_LENGTH_MAX).join('') },
      'provider gave an unclear answer',
    );
  });
  return (outcome, answer, message) => {
    if (outcome.result === 'unknown' && answer.kind === 'answer') write({ answer, message });
    return outcome;
  };
}

/** The query of an address may have a token. */
function withParameters(setting: string): string[] {
  return URL.canParse(setting) ? [setting, ...new URL(setting).searchParams.values()] : [setting];
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
