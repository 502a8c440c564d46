import { type SmppOptions, type SmppSimulator, startSmpp } from '../../../simulators/smpp/smpp.ts';
import type { OutgoingMessage } from '../../src/channels/channel.ts';
import type { Provider, ProviderReport } from '../../src/channels/provider.ts';
import type { SmppSettings } from '../../src/channels/sms/smpp/settings.ts';
import { openSmpp } from '../../src/channels/sms/smpp/smpp.ts';
import { systemClock } from '../../src/clock.ts';
import { createLog } from '../../src/log.ts';
import type { Scope } from './rig/local-server.ts';
import { codeMessage, until } from './rig/messages.ts';

export const SYSTEM_ID = 'zhiber';
export const PASSWORD = 'k9-Wq2xZ';

/** For tests that wait far more than they work, each with a centre of its own. */
export const SIDE_BY_SIDE = { concurrency: 8 };

export type Rig = {
  centre: SmppSimulator;
  provider: Provider;
  reports: ProviderReport[];
  /** Receipts are not stored while this is true. */
  storage: { isBroken: boolean };
};

export async function startCentre(
  t: Scope,
  options: Partial<SmppOptions> = {},
): Promise<SmppSimulator> {
  const centre = await startSmpp({ systemId: SYSTEM_ID, password: PASSWORD, ...options });
  t.after(() => centre.close());
  return centre;
}

export function openTo(port: number, settings: Partial<SmppSettings> = {}): Provider {
  const usual = { systemId: SYSTEM_ID, password: PASSWORD, sender: 'Zhiber', port };
  return withCentreIds(
    openSmpp(
      { host: '127.0.0.1', ...usual, ...settings },
      { clock: systemClock, log: createLog('silent', { sync: true }) },
    ),
  );
}

/** The id that a centre gave, without the tag of the centre before it. */
export function centreId(providerId: string): string {
  return providerId.slice(providerId.indexOf('/') + 1);
}

/** The provider with the ids of the centre, which tests can know before. */
export function withCentreIds(provider: Provider): Provider {
  return {
    ...provider,
    async send(message, signal) {
      const outcome = await provider.send(message, signal);
      if (outcome.result !== 'accepted') return outcome;
      const { providerId, partIds } = outcome;
      const ids = partIds && { partIds: partIds.map(centreId) };
      return { ...outcome, providerId: centreId(providerId), ...ids };
    },
    start: (report) =>
      provider.start?.((one) =>
        report('providerId' in one ? { ...one, providerId: centreId(one.providerId) } : one),
      ),
  };
}

/** A message centre and a provider that is bound to it. */
export async function startRig(
  t: Scope,
  given: { centre?: Partial<SmppOptions>; settings?: Partial<SmppSettings> } = {},
): Promise<Rig> {
  const centre = await startCentre(t, given.centre);
  const provider = openTo(centre.port, given.settings);
  const reports: ProviderReport[] = [];
  const storage = { isBroken: false };
  provider.start?.(async (report) => {
    if (storage.isBroken) throw new Error('the database is away');
    reports.push(report);
    return { isMatched: true };
  });
  t.after(() => provider.stop?.());
  await until(() => centre.figures().binds === 1);
  return { centre, provider, reports, storage };
}

export function message(text: string, changes: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return codeMessage({ text, code: undefined, ttlSeconds: undefined, ...changes });
}
