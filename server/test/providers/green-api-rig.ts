import type { TestContext } from 'node:test';
import { type GreenApiOptions, startGreenApi } from '../../../simulators/green-api.ts';
import { type GreenApiSettings, openGreenApi } from '../../src/channels/whatsapp/green-api.ts';
import { systemClock } from '../../src/clock.ts';
import { type Changes, openRig } from './rig/open-rig.ts';

/** Invented, and long enough to be found wherever they might leak to. */
export const SECRETS = {
  token: 'd75b3a66374942c5b3c019c698abc2067e151558acbd41',
  callbackToken: 'callback-word-3f9a1c7e',
};
export const INSTANCE = '1101000001';
const ACCOUNT = { ...SECRETS, instanceId: INSTANCE };

export function openGreenRig(
  t: TestContext,
  { settings, simulator }: Changes<GreenApiSettings, GreenApiOptions> = {},
) {
  return openRig(t, {
    simulator: (callbackUrl) => startGreenApi({ ...ACCOUNT, callbackUrl, ...simulator }),
    provider: ({ url }) => openGreenApi({ ...ACCOUNT, url, ...settings }, systemClock),
  });
}
