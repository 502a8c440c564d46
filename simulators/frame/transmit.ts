import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type MalformedForm, type Plan, waitForAnswer } from './plan.ts';

export type Reply = {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body: string;
};

const DRIP_MS = 50;
const ENDLESS_PIECE = Buffer.alloc(64 * 1024, 'x');
/** 100 MB when decompressed; made of 100 equal gzip members, which is quick to build. */
const BOMB = Buffer.concat(Array(100).fill(gzipSync(Buffer.alloc(1_000_000))));

/** Sends an answer as the plan says: whole, late, broken, or never. */
export async function transmit(response: ServerResponse, reply: Reply, plan: Plan): Promise<void> {
  await waitForAnswer(plan);
  switch (plan.does) {
    case 'hang':
      return;
    case 'reset_before':
      response.socket?.resetAndDestroy();
      return;
    case 'reset_during': {
      const bytes = Buffer.from(reply.body);
      response.writeHead(reply.status, { 'content-length': bytes.length, ...reply.headers });
      response.write(bytes.subarray(0, bytes.length / 2), () => response.socket?.resetAndDestroy());
      return;
    }
    case 'reset_after': {
      const { socket } = response;
      send(response, reply);
      response.on('finish', () => socket?.resetAndDestroy());
      return;
    }
    case 'drip':
      return drip(response, reply);
    case 'fail':
      return send(response, {
        status: Number(plan.code ?? 500),
        headers: plan.retryAfter === undefined ? {} : { 'retry-after': String(plan.retryAfter) },
        body: 'upstream trouble',
      });
    case 'malformed':
      return sendMalformed(response, reply, plan.form ?? 'html');
    default:
      return send(response, reply);
  }
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}

function drip(response: ServerResponse, { status }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), DRIP_MS);
  response.on('close', () => clearInterval(timer));
}

/** An error in the formats of several providers at once. */
const ERROR_BODY = JSON.stringify({
  ok: false,
  error_code: 400,
  description: 'Bad Request: chat not found',
  error: { message: 'Message undeliverable', code: 131_026 },
  statusCode: 400,
  message: 'bad request data',
});

/** Complete HTTP answers with wrong content. */
const WRONG: Partial<Record<MalformedForm, (reply: Reply) => Reply>> = {
  html: () => ({
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: '<html><body>Welcome</body></html>',
  }),
  half_json: (reply) => ({ ...reply, body: reply.body.slice(0, reply.body.length / 2) }),
  empty: (reply) => ({ ...reply, body: '' }),
  no_id: (reply) => ({ ...reply, body: '{}' }),
  error_body: () => ({ status: 200, body: ERROR_BODY }),
  wrong_type: (reply) => ({ ...reply, body: '[{"id":{}},null]' }),
};

function sendMalformed(response: ServerResponse, reply: Reply, form: MalformedForm): void {
  const wrong = WRONG[form]?.(reply);
  if (wrong !== undefined) {
    send(response, wrong);
  } else if (form === 'endless') {
    response.writeHead(200, { 'content-type': 'application/json' });
    const writeMore = () => {
      while (!response.destroyed && response.write(ENDLESS_PIECE));
    };
    response.on('drain', writeMore);
    writeMore();
  } else if (form === 'packed') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(BOMB);
  } else {
    response.writeHead(204);
    response.end();
  }
}
