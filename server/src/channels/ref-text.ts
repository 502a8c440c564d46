import type { CompanyId, MessageId } from '../ids.ts';
import type { AttemptRef } from './channel.ts';

const FORM = /^(\d{1,15})\.(\d{1,4})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Our reference as a provider carries it and gives it back, in at most 60 characters. */
export function refText({ companyId, attempt, messageId }: AttemptRef): string {
  return `${companyId}.${attempt}.${messageId}`;
}

/** Undefined for a text that is none of ours. */
export function readRefText(text: unknown): AttemptRef | undefined {
  const match = typeof text === 'string' ? FORM.exec(text) : null;
  if (match === null) return undefined;
  const [, companyId, attempt, messageId] = match;
  return {
    companyId: Number(companyId) as CompanyId,
    attempt: Number(attempt),
    messageId: messageId as MessageId,
  };
}
