/** Serves route handlers as Next.js calls them: a standard Request in, a standard Response out. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const server = createServer(async (incoming, outgoing) => {
  const url = new URL(incoming.url, 'http://127.0.0.1');
  const file = path.join(import.meta.dirname, 'app', url.pathname, 'route.ts');
  const handlers = existsSync(file) ? await import(pathToFileURL(file)) : {};
  const handler = handlers[incoming.method];
  if (handler === undefined) return outgoing.writeHead(404).end();
  const hasBody = incoming.method !== 'GET';
  const request = new Request(url, {
    method: incoming.method,
    headers: incoming.headers,
    ...(hasBody && { body: incoming, duplex: 'half' }),
  });
  const response = await handler(request);
  outgoing.writeHead(response.status, [...response.headers].flat());
  outgoing.end(Buffer.from(await response.arrayBuffer()));
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
