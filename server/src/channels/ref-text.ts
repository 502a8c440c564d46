import type { CompanyId, MessageId } from '../ids.ts';
import type { AttemptRef } from './channel.ts';

const REF_TEXT = /^(\d{1,15})\.(\d{1,4})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The reference as text, as providers receive and return it; at most 60 characters. */
export function refText({ companyId, attempt, messageId }: AttemptRef): string {
  return `${companyId}.${attempt}.${messageId}`;
}

/** Undefined when the text is not one of our references. */
export function readRefText(text: unknown): AttemptRef | undefined {
  const match = typeof text === 'string' ? REF_TEXT.exec(text) : null;
  if (match === null) return undefined;
  const [, companyId, attempt, messageId] = match;
  return {
    companyId: Number(companyId) as CompanyId,
    attempt: Number(attempt),
    messageId: messageId as MessageId,
  };
}
