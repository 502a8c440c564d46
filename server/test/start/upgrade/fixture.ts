import assert from 'node:assert/strict';

/** The facts about a fixture that the test needs. */
export type FixtureFacts = {
  secret: string;
  key: string;
  /** A phone with a code that is not verified yet. */
  phone: string;
  code: string;
  slug: string;
  /** Where the short link leads. */
  url: string;
  /** The balance of the key's company. */
  balance: number;
  /** The session of an owner of another company. */
  cookie: string;
  ownerPhone: string;
};

/** Calls an endpoint of the cabinet as its pages do; fails unless it answers 200. */
export async function callCabinet(
  port: number,
  path: string,
  { cookie = '', body }: { cookie?: string; body?: object } = {},
): Promise<Response> {
  const response = await fetch(`http://localhost:${port}/cabinet${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'x-zhiber-cabinet': '1',
      cookie,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  assert.equal(response.status, 200, `${path} ${await response.clone().text()}`);
  return response;
}

/** The session cookie that an answer sets, as a browser sends it back. */
export function readSessionCookie(response: Response): string {
  const cookie = response.headers.getSetCookie().find((one) => one.startsWith('zhiber='));
  assert(cookie !== undefined, 'the answer sets no session cookie');
  return cookie.split(';')[0] as string;
}

/** The newest code that the virtual phone shows for a number. */
export async function readCode(port: number, phone: string): Promise<string> {
  const response = await fetch(`http://localhost:${port}/try/events`);
  assert(response.body !== null);
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.includes('event: replayed')) break;
  }
  const messages = [...text.matchAll(/^data: (\{.*"code".*\})$/gm)].map(([, data]) =>
    JSON.parse(data as string),
  );
  const { code } = messages.findLast((message) => message.phone === phone) ?? {};
  assert(typeof code === 'string', `no code has arrived at ${phone}`);
  return code;
}
