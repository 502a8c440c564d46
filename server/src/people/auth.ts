import { betterAuth } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { Kysely, PostgresDialect } from 'kysely';
import type { Context } from '../context.ts';
import type { PersonId } from '../ids.ts';
import type { Passwords } from './password/passwords.ts';
import { cookieNameOf } from './session/session-cookie.ts';
import { ABSOLUTE_SECONDS } from './session/session-limits.ts';
import { ADDRESS_HEADER } from './session/start-session.ts';

type OpenSessionBody = { personId: PersonId; secondFactorAt?: Date };

/**
 * better-auth as a library: it checks e-mail and password, makes sessions and signs their cookies, in
 * our tables. Its own routes are never served; whatever comes in passes our handlers and their limits.
 */
export function createAuth(ctx: Pick<Context, 'config' | 'db' | 'secrets'>, passwords: Passwords) {
  const isHttps = ctx.config.publicUrl?.startsWith('https:') ?? false;
  return betterAuth({
    appName: 'Zhiber',
    baseURL: ctx.config.publicUrl ?? 'http://localhost',
    secret: ctx.secrets.cookieKey,
    database: {
      db: new Kysely({ dialect: new PostgresDialect({ pool: ctx.db.pool }) }),
      type: 'postgres',
    },
    telemetry: { enabled: false },
    logger: { disabled: true },
    user: {
      modelName: 'person',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    account: {
      modelName: 'credential',
      fields: {
        userId: 'person_id',
        providerId: 'provider_id',
        accountId: 'account_id',
        password: 'password_hash',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    session: {
      modelName: 'session',
      fields: {
        userId: 'person_id',
        ipAddress: 'address',
        userAgent: 'device',
        expiresAt: 'expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
      additionalFields: {
        secondFactorAt: { type: 'date', required: false, fieldName: 'second_factor_at' },
      },
      expiresIn: ABSOLUTE_SECONDS,
      disableSessionRefresh: true,
    },
    emailAndPassword: { enabled: true, requireEmailVerification: true, password: passwords },
    advanced: {
      // The prefix that we want is another one than better-auth's, so it stands in the name.
      useSecureCookies: false,
      cookies: { session_token: { name: cookieNameOf(ctx.config) } },
      defaultCookieAttributes: { secure: isHttps, httpOnly: true, sameSite: 'lax', path: '/' },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { validateSchema: false },
    },
    plugins: [{ id: 'zhiber', endpoints: { openSession } }],
  });
}

export type Auth = ReturnType<typeof createAuth>;

/** Signs in a person whose identity has been proven already. Without a path, and so only from here. */
const openSession = createAuthEndpoint.serverOnly(
  { method: 'POST', metadata: { $Infer: { body: {} as OpenSessionBody } } },
  async ({ context, body, ...call }) => {
    const user = await context.internalAdapter.findUserById(body.personId);
    if (user === null) throw new Error('a session for nobody');
    const { secondFactorAt } = body;
    const session = await context.internalAdapter.createSession(user.id, false, { secondFactorAt });
    await setSessionCookie({ ...call, context, body }, { session, user });
    return { user: { id: user.id } };
  },
);
