import type { TestContext } from 'node:test';
import type { Simulator } from '../../../../simulators/frame/http-simulator.ts';
import type { Provider } from '../../../src/channels/provider.ts';
import { type CallbackDesk, openCallbackDesk } from './callback-desk.ts';

/** A provider, the simulator that it talks to, and the desk that the simulator reports to. */
export type Rig<P extends Provider = Provider, S extends Simulator = Simulator> = {
  provider: P;
  simulator: S;
  desk: CallbackDesk;
};

/** How a test wants its rig to differ from the usual one. */
export type Changes<Settings, Options> = {
  settings?: Partial<Settings>;
  simulator?: Partial<Options>;
};

/** Both sides are ended with the test. */
export async function openRig<P extends Provider, S extends Simulator>(
  t: TestContext,
  make: {
    simulator(callbackUrl: string): Promise<S>;
    provider(urls: { url: string; callbackUrl: string }): P;
  },
): Promise<Rig<P, S>> {
  const desk = await openCallbackDesk(t);
  const simulator = await make.simulator(desk.url);
  const provider = make.provider({ url: simulator.url, callbackUrl: desk.url });
  desk.reader = provider;
  t.after(async () => {
    await provider.stop?.();
    await simulator.close();
  });
  return { provider, simulator, desk };
}
