import type { TestContext } from 'node:test';
import {
  startTelegramGateway,
  type TelegramGatewayOptions,
} from '../../../simulators/telegram-gateway.ts';
import type { OutgoingMessage } from '../../src/channels/channel.ts';
import {
  openTelegramGateway,
  type TelegramGatewaySettings,
} from '../../src/channels/telegram/gateway.ts';
import { systemClock } from '../../src/clock.ts';
import { codeMessage, newRef, PHONE } from './rig/messages.ts';
import { type Changes, openRig } from './rig/open-rig.ts';

export const TOKEN = 'AAEgatewayTokenOfTheTestsWhichIsLongEnough';
export const WRONG_TOKEN = 'AAEanotherTokenThatTheGatewayHasNeverIssued';
export const TO = `+${PHONE}`;
export const REF = newRef();

export const refMessage = (changes: Partial<OutgoingMessage> = {}) =>
  codeMessage({ ref: REF, ...changes });

export function openGatewayRig(
  t: TestContext,
  changes: Changes<TelegramGatewaySettings, TelegramGatewayOptions> & {
    /** Whether reports come to the desk; they can only be asked for otherwise. */
    isReporting?: boolean;
  } = {},
) {
  return openRig(t, {
    simulator: () => startTelegramGateway({ token: TOKEN, ...changes.simulator }),
    provider({ url, callbackUrl }) {
      const reporting = changes.isReporting === true ? { callbackUrl } : {};
      const settings = { url, token: TOKEN, ...reporting, ...changes.settings };
      return openTelegramGateway(settings, systemClock);
    },
  });
}

/** Takes a message and reports nothing by itself. */
export const QUIET = { does: 'accept', receipts: [] } as const;
