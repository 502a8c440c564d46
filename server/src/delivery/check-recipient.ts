import type { Config } from '../config/config.ts';
import type { Context } from '../context.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { type Phone, type PhoneFacts, readPhone } from '../phone.ts';
import { Problem } from '../problem.ts';
import { testNumberOf } from '../sandbox/test-numbers.ts';

/** Reads the phone of a send and refuses those that are never sent to. */
export function checkRecipient(
  ctx: Pick<Context, 'config'>,
  key: ApiKey,
  raw: string,
): { phone: Phone; canSms: boolean } {
  const facts = readPhone(raw);
  if (facts === undefined) throw new Problem('invalid_phone');
  if (facts.isCostly) throw new Problem('blocked_by_fraud_guard');
  refuseByTestNumber(facts.phone, key);
  return { phone: facts.phone, canSms: isSmsCountry(ctx.config, facts) };
}

/** SMS goes to the countries of the operator's list alone. */
export function isSmsCountry(
  { smsCountries }: Pick<Config, 'smsCountries'>,
  { country }: Pick<PhoneFacts, 'country'>,
): boolean {
  return country !== undefined && smsCountries.includes(country);
}

/** Two numbers of the test table stand for refusals that a test could hardly bring about. */
function refuseByTestNumber(phone: Phone, key: ApiKey): void {
  const number = testNumberOf(phone, key.isTest);
  if (number === 'insufficient_tokens') {
    throw new Problem('insufficient_tokens', { required: 3, balance: 0 });
  }
  if (number === 'send_rate_limited') throw new Problem('send_rate_limited', { retry_after: 60 });
}
