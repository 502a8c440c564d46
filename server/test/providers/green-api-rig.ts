import type { TestContext } from 'node:test';
import { type GreenApiOptions, startGreenApi } from '../../../simulators/green-api.ts';
import { type GreenApiSettings, openGreenApi } from '../../src/channels/whatsapp/green-api.ts';
import { systemClock } from '../../src/clock.ts';
import { openReceiver } from './whatsapp-rig.ts';

/** Invented, and long enough to be found wherever they might leak to. */
export const SECRETS = {
  token: 'd75b3a66374942c5b3c019c698abc2067e151558acbd41',
  callbackToken: 'callback-word-3f9a1c7e',
};
export const INSTANCE = '1101000001';

export async function openGreenRig(
  t: TestContext,
  changes: { settings?: Partial<GreenApiSettings>; simulator?: Partial<GreenApiOptions> } = {},
) {
  const receiver = await openReceiver(t);
  const account = { ...SECRETS, instanceId: INSTANCE };
  const simulator = await startGreenApi({
    ...account,
    callbackUrl: receiver.url,
    ...changes.simulator,
  });
  t.after(() => simulator.close());
  const settings = { ...account, url: simulator.url, ...changes.settings };
  const provider = openGreenApi(settings, systemClock);
  t.after(() => provider.stop?.());
  receiver.attach(provider);
  return { provider, simulator, receiver };
}
