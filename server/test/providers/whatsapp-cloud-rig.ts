import type { TestContext } from 'node:test';
import {
  startWhatsappCloud,
  type WhatsappCloudOptions,
  type WhatsappCloudSimulator,
} from '../../../simulators/whatsapp-cloud.ts';
import type { Provider } from '../../src/channels/provider.ts';
import {
  type IsWindowOpen,
  openWhatsappCloud,
  type WhatsappCloudSettings,
} from '../../src/channels/whatsapp/cloud.ts';
import { systemClock } from '../../src/clock.ts';
import { openReceiver, type Receiver } from './whatsapp-rig.ts';

/** Invented, and long enough to be found wherever they might leak to. */
export const SECRETS = {
  token: 'EAAG-token-Zk81xQ0v3w7Lr5',
  appSecret: 'app-secret-9d8f7a6b5c4e3d2f',
  verifyToken: 'verify-word-5b1c9e7a',
};
export const PHONE_NUMBER_ID = '106540352242922';
export const WABA_ID = '102290129340398';

export type CloudRig = {
  provider: Provider;
  simulator: WhatsappCloudSimulator;
  receiver: Receiver;
  /** Phones that the service believes to have written. */
  open: Set<string>;
};

export async function openCloudRig(
  t: TestContext,
  changes: {
    settings?: Partial<WhatsappCloudSettings>;
    simulator?: Partial<WhatsappCloudOptions>;
    isWindowOpen?: IsWindowOpen;
  } = {},
): Promise<CloudRig> {
  const receiver = await openReceiver(t);
  const simulator = await startWhatsappCloud({
    ...SECRETS,
    phoneNumberId: PHONE_NUMBER_ID,
    wabaId: WABA_ID,
    callbackUrl: receiver.url,
    ...changes.simulator,
  });
  t.after(() => simulator.close());
  const open = new Set<string>();
  const provider = openWhatsappCloud(
    {
      ...SECRETS,
      url: simulator.url,
      phoneNumberId: PHONE_NUMBER_ID,
      wabaId: WABA_ID,
      codeTemplate: 'otp_code',
      linkTemplate: 'link_notice',
      ...changes.settings,
    },
    systemClock,
    changes.isWindowOpen ?? (async (phone) => open.has(phone)),
  );
  t.after(() => provider.stop?.());
  receiver.attach(provider);
  return { provider, simulator, receiver, open };
}
