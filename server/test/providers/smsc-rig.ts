import type { TestContext } from 'node:test';
import { type SmscOptions, startSmsc } from '../../../simulators/smsc.ts';
import { openSmsc, type SmscSettings } from '../../src/channels/sms/smsc.ts';
import { systemClock } from '../../src/clock.ts';
import { type Changes, openRig } from './rig/open-rig.ts';

export const ACCOUNT = { login: 'zhiber-login', password: 'pass-Word-1' };
export const API_KEY = 'api-Key-2';
export const SECRET = 'cb_secret';

export function openSmscRig(
  t: TestContext,
  { settings, simulator }: Changes<SmscSettings, SmscOptions> = {},
) {
  const signed = { ...ACCOUNT, callbackSecret: SECRET };
  return openRig(t, {
    simulator: (callbackUrl) =>
      startSmsc({ ...signed, apiKey: API_KEY, callbackUrl, ...simulator }),
    provider: ({ url }) => openSmsc({ ...signed, url, ...settings }, systemClock),
  });
}

/** What final and other statuses come to, asked for or reported. */
export const STATUSES: Record<string, [receipt: string | undefined, reason?: RegExp]> = {
  1: ['delivered'],
  2: ['read'],
  4: ['read'],
  3: ['failed', /вовремя/],
  20: ['failed', /невозможно/],
  22: ['failed', /номер/],
  23: ['failed', /запретил/],
  24: ['failed', /денег/],
  25: ['failed', /не принимает/],
  '-2': [undefined],
  '-1': [undefined],
  0: [undefined],
};
