import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type {
  CallbackContent,
  Contact,
  Provider,
  ProviderReport,
} from '../../../src/channels/provider.ts';
import { serve } from './local-server.ts';

export type CallbackDesk = {
  url: string;
  /** What was authentic, in the order it came. */
  contents: CallbackContent[];
  reports(): ProviderReport[];
  contacts(): Contact[];
  /** The first that was authentic. */
  first: Promise<CallbackContent>;
  /** Whose callbacks these are; known only after its simulator, which wants this address. */
  reader: Provider | undefined;
  /** Answers so instead of reading, as a service in trouble would. */
  failsWith: number | undefined;
};

/** Takes callbacks as the service does: believed ones get 200 and their answer, others 403. */
export async function openCallbackDesk(t: TestContext): Promise<CallbackDesk> {
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
