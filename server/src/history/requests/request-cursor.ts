import { isId, type MessageId } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import type { LogPosition } from './request-store.ts';

/** Where the two lists of calls go on; undefined is their beginning. */
export type RequestCursor = { log: LogPosition | undefined; message: MessageId | undefined };

const FORM = /^(\d{1,16}):([A-Za-z0-9._-]{1,64})$/;

export function writeCursor({ log, message }: RequestCursor): string {
  const place = log === undefined ? '' : `${log.micros}:${log.requestId}`;
  return `${message ?? ''}~${place}`;
}

/** Anything that was not written here is refused. */
export function readCursor(text: string): RequestCursor {
  const [message = '', place = '', ...rest] = text.split('~');
  const log = place === '' ? undefined : readPlace(place);
  const isGood = rest.length === 0 && (message === '' || isId(message)) && text.includes('~');
  if (!isGood || (place !== '' && log === undefined)) {
    throw new Problem('validation_error', { errors: { cursor: ['Неверный формат'] } });
  }
  return { log, message: message === '' ? undefined : (message as MessageId) };
}

function readPlace(text: string): LogPosition | undefined {
  const match = FORM.exec(text);
  const micros = Number(match?.[1]);
  if (match === null || !Number.isSafeInteger(micros)) return undefined;
  return { micros, requestId: match[2] as string };
}
