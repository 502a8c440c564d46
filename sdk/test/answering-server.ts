/** A server that gives the answers of a case, one after another, and remembers the requests. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type ScriptedAnswer =
  /** Closes the connection without an answer, or in the middle of one. */
  | 'drop'
  | 'half'
  /** Never answers, or never stops. */
  | 'hang'
  | 'flood'
  | { status: number; headers?: Record<string, string>; body?: object; text?: string };

export type SeenRequest = {
  atMs: number;
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
};

const FLOOD_CHUNK = 'x'.repeat(64 * 1024);

export async function startAnsweringServer() {
  const scripts = new Map<string, { answers: ScriptedAnswer[]; seen: SeenRequest[] }>();
  const server = createServer(async (request, response) => {
    const [, name = '', path = ''] = /^\/([^/]+)\/api(.*)$/.exec(request.url ?? '') ?? [];
    const script = scripts.get(name);
    if (script === undefined) {
      response.writeHead(404).end();
      return;
    }
    const { method = '', headers } = request;
    const seen = { atMs: performance.now(), method, path, headers, body: await text(request) };
    script.seen.push(seen);
    const { answers } = script;
    give(answers[script.seen.length - 1] ?? answers.at(-1) ?? 'drop', response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    /** The base URL of a case, and the requests that came to it. */
    prepare(name: string, answers: ScriptedAnswer[]) {
      const seen: SeenRequest[] = [];
      scripts.set(name, { answers, seen });
      return { baseUrl: `http://127.0.0.1:${port}/${name}/api`, seen };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function give(answer: ScriptedAnswer, response: ServerResponse): void {
  if (answer === 'hang') return;
  if (answer === 'drop') {
    response.socket?.destroy();
    return;
  }
  if (answer === 'half') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '400' });
    response.write('{"success":true,', () => response.socket?.destroy());
    return;
  }
  if (answer === 'flood') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"success":true,"message":"');
    const pour = () => {
      while (!response.destroyed && response.write(FLOOD_CHUNK));
      response.once('drain', pour);
    };
    pour();
    return;
  }
  const body = answer.text ?? JSON.stringify(answer.body);
  const type = answer.text === undefined ? 'application/json' : 'text/html';
  response.writeHead(answer.status, { 'content-type': type, ...answer.headers }).end(body);
}
