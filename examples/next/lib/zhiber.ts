import { Zhiber } from '@zhiber/sdk';

export const PURPOSE = 'login';
/** A phone gets one code a minute. */
export const RESEND_SECONDS = 60;

let client: Zhiber | undefined;

/** Created at the first call: `next build` loads this file where no key is set. */
export function zhiber(): Zhiber {
  client ??= new Zhiber({
    apiKey: process.env.ZHIBER_KEY ?? '',
    baseUrl: process.env.ZHIBER_URL ?? '',
  });
  return client;
}
