import type { TestContext } from 'node:test';
import { type HttpProviderOptions, startHttpProvider } from '../../../simulators/http-provider.ts';
import {
  type HttpProviderSettings,
  openHttpProvider,
} from '../../src/channels/http/http-provider.ts';
import { systemClock } from '../../src/clock.ts';
import { type Changes, openRig } from './rig/open-rig.ts';

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
export const OTHER_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
export const SETTINGS = { channel: 'sms', secret: SECRET } as const;
/** With all that an address may have. */
export const PATH = '/hooks/zhiber/?token=a%20b';

export function openHttpRig(
  t: TestContext,
  { settings, simulator }: Changes<HttpProviderSettings, HttpProviderOptions> = {},
) {
  return openRig(t, {
    simulator: () => startHttpProvider({ secret: SECRET, ...simulator }),
    provider: ({ url, callbackUrl }) =>
      openHttpProvider({ ...SETTINGS, url: url + PATH, callbackUrl, ...settings }, systemClock),
  });
}
