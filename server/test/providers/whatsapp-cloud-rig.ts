import type { TestContext } from 'node:test';
import {
  startWhatsappCloud,
  type WhatsappCloudOptions,
} from '../../../simulators/whatsapp-cloud.ts';
import {
  type IsWindowOpen,
  openWhatsappCloud,
  type WhatsappCloudSettings,
} from '../../src/channels/whatsapp/cloud.ts';
import { systemClock } from '../../src/clock.ts';
import { type Changes, openRig } from './rig/open-rig.ts';

/** Invented, and long enough to be found wherever they might leak to. */
export const SECRETS = {
  token: 'EAAG-token-Zk81xQ0v3w7Lr5',
  appSecret: 'app-secret-9d8f7a6b5c4e3d2f',
  verifyToken: 'verify-word-5b1c9e7a',
};
export const PHONE_NUMBER_ID = '106540352242922';
export const WABA_ID = '102290129340398';
const ACCOUNT = { ...SECRETS, phoneNumberId: PHONE_NUMBER_ID, wabaId: WABA_ID };
const TEMPLATES = { codeTemplate: 'otp_code', linkTemplate: 'link_notice' };

/** An authentication template with its code: in the text, and in the button that copies it. */
export function codeTemplate(code = '482913', inButton = code) {
  return {
    name: TEMPLATES.codeTemplate,
    language: { code: 'ru' },
    components: [
      { type: 'body', parameters: [{ type: 'text', text: code }] },
      {
        type: 'button',
        sub_type: 'url',
        index: '0',
        parameters: [{ type: 'text', text: inButton }],
      },
    ],
  };
}

/** `open` holds the phones that the service believes to have written. */
export async function openCloudRig(
  t: TestContext,
  changes: Changes<WhatsappCloudSettings, WhatsappCloudOptions> & {
    isWindowOpen?: IsWindowOpen;
  } = {},
) {
  const open = new Set<string>();
  const isWindowOpen: IsWindowOpen = changes.isWindowOpen ?? (async (phone) => open.has(phone));
  const rig = await openRig(t, {
    simulator: (callbackUrl) =>
      startWhatsappCloud({ ...ACCOUNT, callbackUrl, ...changes.simulator }),
    provider({ url }) {
      const settings = { ...ACCOUNT, ...TEMPLATES, url, ...changes.settings };
      return openWhatsappCloud(settings, systemClock, isWindowOpen);
    },
  });
  return { ...rig, open };
}
