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
): { phone: Phone; smsRefusal: SmsRefusal | undefined } {
  const facts = parsePhone(raw);
  if (facts === undefined) throw new Problem('invalid_phone');
  if (facts.isCostly) throw new Problem('blocked_by_fraud_guard');
  refuseByTestNumber(facts.phone, key);
  return { phone: facts.phone, smsRefusal: findSmsRefusal(ctx.config, facts) };
}

/** Why a phone gets no SMS: its country is not on the operator's list, or it cannot receive one. */
export type SmsRefusal = 'country_not_supported' | 'invalid_phone';

export function findSmsRefusal(
  { smsCountries }: Pick<Config, 'smsCountries'>,
  { country, canReceiveSms }: Pick<PhoneFacts, 'country' | 'canReceiveSms'>,
): SmsRefusal | undefined {
  if (country === undefined || !smsCountries.includes(country)) return 'country_not_supported';
  return canReceiveSms ? undefined : 'invalid_phone';
}

/** Two test numbers trigger refusals that are hard to provoke in a test. */
function refuseByTestNumber(phone: Phone, key: ApiKey): void {
  const number = findTestNumber(phone, key.isTest);
  if (number === 'insufficient_tokens') {
    throw new Problem('insufficient_tokens', { required: 3, balance: 0 });
  }
  if (number === 'send_rate_limited') throw new Problem('send_rate_limited', { retry_after: 60 });
}
