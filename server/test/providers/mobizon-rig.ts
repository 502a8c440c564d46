import type { TestContext } from 'node:test';
import { type MobizonOptions, startMobizon } from '../../../simulators/mobizon.ts';
import { type MobizonSettings, openMobizon } from '../../src/channels/sms/mobizon.ts';
import { systemClock } from '../../src/clock.ts';
import { type Changes, openRig } from './rig/open-rig.ts';

export const SECRETS = { apiKey: 'kz0123456789abcdef', callbackSecret: 'secret123' };

export function openMobizonRig(
  t: TestContext,
  { settings, simulator }: Changes<MobizonSettings, MobizonOptions> = {},
) {
  return openRig(t, {
    simulator: (callbackUrl) => startMobizon({ ...SECRETS, callbackUrl, ...simulator }),
    provider: ({ url }) => openMobizon({ ...SECRETS, url, ...settings }, systemClock),
  });
}
