import type { TestContext } from 'node:test';
import {
  startTelegramGateway,
  type TelegramGatewayOptions,
} from '../../../simulators/telegram-gateway.ts';
import {
  openTelegramGateway,
  type TelegramGatewaySettings,
} from '../../src/channels/telegram/gateway.ts';
import { systemClock } from '../../src/clock.ts';

export const TOKEN = 'AAEgatewayTokenOfTheTestsWhichIsLongEnough';
export const WRONG_TOKEN = 'AAEanotherTokenThatTheGatewayHasNeverIssued';
export const TO = '+77010000001';

/** A simulated Gateway, and the provider that talks to it. */
export async function startGateway(
  t: TestContext,
  options: Partial<TelegramGatewayOptions> = {},
  settings: Partial<TelegramGatewaySettings> = {},
) {
  const simulator = await startTelegramGateway({ token: TOKEN, ...options });
  const gateway = openTelegramGateway(
    { url: simulator.url, token: TOKEN, ...settings },
    systemClock,
  );
  t.after(async () => {
    await gateway.stop?.();
    await simulator.close();
  });
  return { simulator, gateway };
}

/** Takes a message and reports nothing by itself. */
export const QUIET = { does: 'accept', receipts: [] } as const;
