import { codeText } from '@zhiber/contract/message/message-text.ts';
import { countParts } from '@zhiber/contract/message/sms-parts.ts';
import type { Config } from '../config/config.ts';
import type { ApiKey } from '../keys/api-key.ts';

type Pricing = Pick<Config, 'isSmsPricedPerPart'>;

/** How many times the price of an SMS this text costs. */
export function chargedParts({ isSmsPricedPerPart }: Pricing, text: () => string): number {
  return isSmsPricedPerPart ? countParts(text()) : 1;
}

/** The same for a message that is stored: its code is not known, but how many digits it has. */
export function storedParts(
  pricing: Pricing,
  key: ApiKey,
  { kind, body, link }: { kind: string; body: string | null; link: string | undefined },
): number {
  return chargedParts(pricing, () =>
    kind === 'otp'
      ? codeText(key, { channel: 'sms', code: '0'.repeat(key.codeLength), link })
      : (body ?? ''),
  );
}
