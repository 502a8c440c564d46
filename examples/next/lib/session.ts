/** A session in a signed cookie, so that every process and region can read it. */
import { createHmac, timingSafeEqual } from 'node:crypto';

export type Session = { phone?: string; resendAt?: number; isSignedIn?: boolean };

const HOURS = 12;

export function readSession(request: Request): Session {
  const cookies = request.headers.get('cookie') ?? '';
  const [, text = '', mac = ''] = /(?:^|; )session=([\w-]+)\.([\w-]+)/.exec(cookies) ?? [];
  const expected = Buffer.from(sign(text));
  const given = Buffer.from(mac);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return {};
  const session = JSON.parse(Buffer.from(text, 'base64url').toString());
  return session.until > Date.now() ? session : {};
}

/** The value of Set-Cookie. Forms of other sites come without a cookie that is SameSite=Lax. */
export function toCookie(session: Session): string {
  const until = Date.now() + HOURS * 3_600_000;
  const text = Buffer.from(JSON.stringify({ ...session, until })).toString('base64url');
  const secure = process.env.NODE_ENV === 'production' ? '; Secure' : '';
  return `session=${text}.${sign(text)}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${HOURS * 3_600}${secure}`;
}

export function redirectHome(session: Session): Response {
  return new Response(null, {
    status: 303,
    headers: { location: '/sign-in', 'set-cookie': toCookie(session) },
  });
}

function sign(text: string): string {
  const secret = process.env.SESSION_SECRET;
  if (!secret) throw new Error('SESSION_SECRET is not set');
  return createHmac('sha256', secret).update(text).digest('base64url');
}
