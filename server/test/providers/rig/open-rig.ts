import { buffer } from 'node:stream/consumers';
import type { Simulator } from '../../../../simulators/frame/simulator.ts';
import type {
  CallbackContent,
  Contact,
  Provider,
  ProviderReport,
} from '../../../src/channels/provider.ts';
import { type Scope, serve } from './local-server.ts';

/** A provider, the simulator that it talks to, and the desk that the simulator reports to. */
export type Rig<P extends Provider = Provider, S extends Simulator = Simulator> = {
  provider: P;
  simulator: S;
  desk: CallbackDesk;
};

export type CallbackDesk = {
  url: string;
  /** What was authentic, in the order it came. */
  contents: CallbackContent[];
  reports(): ProviderReport[];
  contacts(): Contact[];
  /** The first that was authentic. */
  first: Promise<CallbackContent>;
  /** Reads the callbacks; set after the simulator has started, which needs this address. */
  reader: Provider | undefined;
  /** Answers every callback with this status instead of reading it. */
  failsWith: number | undefined;
};

/** How a rig differs from the usual one. */
export type Changes<Settings, Options> = {
  settings?: Partial<Settings>;
  simulator?: Partial<Options>;
};

/** Both sides are stopped with the scope. */
export async function openRig<P extends Provider, S extends Simulator>(
  t: Scope,
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

/** Takes callbacks as the service does: authentic ones get 200 and their answer, others 403. */
export async function openCallbackDesk(t: Scope): Promise<CallbackDesk> {
  const first = Promise.withResolvers<CallbackContent>();
  const url = await serve(t, async (request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://service');
    const body = await buffer(request);
    if (desk.failsWith !== undefined) return response.writeHead(desk.failsWith).end();
    const content = desk.reader?.readCallback?.({
      method: request.method === 'GET' ? 'GET' : 'POST',
      headers: request.headers,
      query: Object.fromEntries(searchParams),
      body,
    });
    if (content === undefined) return response.writeHead(403).end();
    desk.contents.push(content);
    first.resolve(content);
    response.setHeader('content-type', content.answer?.contentType ?? 'text/plain');
    return response.end(content.answer?.body);
  });
  const desk: CallbackDesk = {
    url: `${url}/callbacks`,
    contents: [],
    reports: () => desk.contents.flatMap(({ reports }) => reports),
    contacts: () => desk.contents.flatMap(({ contacts }) => contacts ?? []),
    first: first.promise,
    reader: undefined,
    failsWith: undefined,
  };
  return desk;
}
