import type { Provider } from '../channels/provider.ts';
import type { Context, VerifiedCode } from '../context.ts';
import { findProviderMessageId } from './verify-store.ts';

/** Reports beyond this are dropped: only the provider's own statistics depend on them. */
const CONCURRENT_MAX = 16;
const TIMEOUT_MS = 5_000;

/**
 * Reports verified codes in the background to the providers that want to know. Undefined when none
 * does, so that nothing is looked up.
 */
export function reportVerifiedTo(
  providers: readonly Provider[],
  { db, log, background }: Pick<Context, 'db' | 'log' | 'background'>,
): Context['onVerified'] {
  const interested = providers.filter(({ reportVerified }) => reportVerified !== undefined);
  if (interested.length === 0) return undefined;
  let running = 0;

  const reportSafely = async (verified: VerifiedCode) => {
    running += 1;
    try {
      await report(verified);
    } catch (error) {
      log.warn({ err: error }, 'report of a verified code failed');
    } finally {
      running -= 1;
    }
  };
  const report = async (verified: VerifiedCode) => {
    const qualifiedId = await findProviderMessageId(db, verified);
    const provider = interested.find(({ name }) => qualifiedId?.startsWith(`${name}:`));
    if (qualifiedId === undefined || provider === undefined) return;
    const providerId = qualifiedId.slice(provider.name.length + 1);
    // The provider did not answer, so its id of the message is unknown.
    if (providerId === '') return;
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    await provider.reportVerified?.({ providerId, code: verified.code }, signal);
  };

  return (verified) => {
    background.run(async () => {
      if (running < CONCURRENT_MAX) await reportSafely(verified);
    });
  };
}
