import type { ProviderCheck } from '../../provider.ts';
import { TRY_LATER } from './command-status.ts';
import { rolesOf } from './connections.ts';
import { listPlaces, type Place } from './places.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { openSession, type Session } from './session.ts';
import { type FullSettings, listTooLong } from './settings.ts';

const CLOSE_MS = 500;

type CheckParts = { settings: FullSettings; limiter: RateLimiter; signal: AbortSignal };

/** Asks by the live session, or else binds at every host for a moment. */
export async function checkAccount(
  live: Session | undefined,
  parts: CheckParts,
): Promise<ProviderCheck> {
  const checks = await Promise.all(
    live === undefined
      ? listPlaces(parts.settings).map((place) => checkPlace(place, parts))
      : [enquire(live)],
  );
  const tooLong = listTooLong(parts.settings);
  const advice = `Longer than the standard allows, and some centres cut it: ${tooLong.join(', ')}.`;
  const ok = checks.some((one) => one.ok);
  const hasWarning = ok && (tooLong.length > 0 || checks.some((one) => !one.ok));
  return {
    ok,
    ...(hasWarning && { warning: true as const }),
    detail: [...checks.map(({ detail }) => detail), ...(tooLong.length > 0 ? [advice] : [])].join(
      ' ',
    ),
  };
}

/** Opens a session that rejects receipts, so that they are sent again. */
async function checkPlace(place: Place, { settings, limiter, signal }: CheckParts) {
  const takeDelivery = async () => TRY_LATER;
  const [role] = rolesOf(settings);
  const session = await openSession({ settings, place, role, limiter, takeDelivery }, signal);
  if ('failure' in session) return { ok: false, detail: `SMPP ${place.text}: ${session.failure}.` };
  const check = await enquire(session);
  await session.close(CLOSE_MS);
  return check;
}

async function enquire(session: Session): Promise<ProviderCheck> {
  const isAlive = await session.enquire();
  const how = isAlive ? 'and it answers' : 'but it does not answer enquire_link';
  return { ok: isAlive, detail: `SMPP ${session.place.text}: bound, ${how}.` };
}
