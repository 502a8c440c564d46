import type { Config } from '../config/config.ts';
import type { Context } from '../context.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { type Phone, type PhoneFacts, parsePhone } from '../phone.ts';
import { Problem } from '../problem.ts';
import { findTestNumber } from '../sandbox/test-numbers.ts';

/** Parses the phone of a send and refuses numbers that are never served. */
export function checkRecipient(
  ctx: Pick<Context, 'config'>,
  key: ApiKey,
  raw: string,
): { phone: Phone; canSms: boolean } {
  const facts = parsePhone(raw);
  if (facts === undefined) throw new Problem('invalid_phone');
  if (facts.isCostly) throw new Problem('blocked_by_fraud_guard');
  refuseByTestNumber(facts.phone, key);
  return { phone: facts.phone, canSms: isSmsCountry(ctx.config, facts) };
}

/** SMS is sent only to the countries on the operator's list. */
export function isSmsCountry(
  { smsCountries }: Pick<Config, 'smsCountries'>,
  { country }: Pick<PhoneFacts, 'country'>,
): boolean {
  return country !== undefined && smsCountries.includes(country);
}

/** Two test numbers trigger refusals that are hard to provoke in a test. */
function refuseByTestNumber(phone: Phone, key: ApiKey): void {
  const number = findTestNumber(phone, key.isTest);
  if (number === 'insufficient_tokens') {
    throw new Problem('insufficient_tokens', { required: 3, balance: 0 });
  }
  if (number === 'send_rate_limited') throw new Problem('send_rate_limited', { retry_after: 60 });
}
