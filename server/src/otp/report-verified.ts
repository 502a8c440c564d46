import type { Provider } from '../channels/provider.ts';
import type { Context, VerifiedCode } from '../context.ts';
import { findCarrier } from './verify-store.ts';

/** What comes on top is not told: nothing but the figures of the provider depends on it. */
const UNDER_WAY_MAX = 16;
const LIMIT_MS = 5_000;

/**
 * Tells the providers that ask for it that a code which they carried was entered. Nobody waits for
 * it. Undefined when none of them asks, so that nothing has to be looked up.
 */
export function reportVerifiedTo(
  providers: readonly Provider[],
  { db, log, background }: Pick<Context, 'db' | 'log' | 'background'>,
): Context['onVerified'] {
  const asking = providers.filter(({ reportVerified }) => reportVerified !== undefined);
  if (asking.length === 0) return undefined;
  let underWay = 0;

  const tell = async (verified: VerifiedCode) => {
    underWay += 1;
    try {
      await report(verified);
    } catch (error) {
      log.warn({ err: error }, 'nobody was told of a verified code');
    } finally {
      underWay -= 1;
    }
  };
  const report = async (verified: VerifiedCode) => {
    const carrier = await findCarrier(db, verified);
    const provider = asking.find(({ name }) => carrier?.startsWith(`${name}:`));
    if (carrier === undefined || provider === undefined) return;
    const providerId = carrier.slice(provider.name.length + 1);
    const signal = AbortSignal.timeout(LIMIT_MS);
    await provider.reportVerified?.({ providerId, code: verified.code }, signal);
  };

  return (verified) => {
    background.run(async () => {
      if (underWay < UNDER_WAY_MAX) await tell(verified);
    });
  };
}
