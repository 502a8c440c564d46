/** A session in a signed cookie: nothing to store, and nobody can change what it says. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

// With a random secret, everybody is signed out when the server restarts.
const SECRET = process.env.SESSION_SECRET ?? randomBytes(32).toString('hex');
const HOURS = 12;

export function readSession(request) {
  const [, text = '', mac = ''] =
    /(?:^|; )session=([\w-]+)\.([\w-]+)/.exec(request.headers.cookie ?? '') ?? [];
  const expected = Buffer.from(sign(text));
  const given = Buffer.from(mac);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return {};
  const session = JSON.parse(Buffer.from(text, 'base64url').toString());
  return session.until > Date.now() ? session : {};
}

export function writeSession(response, session) {
  const until = Date.now() + HOURS * 3_600_000;
  const text = Buffer.from(JSON.stringify({ ...session, until })).toString('base64url');
  response.cookie('session', `${text}.${sign(text)}`, {
    httpOnly: true,
    // Forms of other sites come without the cookie.
    sameSite: 'lax',
    secure: process.env.NODE_ENV === 'production',
    maxAge: HOURS * 3_600_000,
  });
}

function sign(text) {
  return createHmac('sha256', SECRET).update(text).digest('base64url');
}
