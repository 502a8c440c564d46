import type { IncomingHttpHeaders } from 'node:http';
import { createLazy } from '../cache.ts';
import type { Context } from '../context.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Auth } from './auth.ts';
import { createPasswords, type Passwords } from './password/passwords.ts';
import { cookieNameOf, readToken } from './session/session-cookie.ts';
import { findVisitorByToken } from './session/session-store.ts';
import type { Visitor } from './visitor.ts';

/** Accounts of people, their sessions and how they prove who they are. */
export type People = {
  readonly ctx: Context;
  readonly passwords: Passwords;
  readonly mailer: Mailer;
  /**
   * The dearest module there is: a third of a second of this thread, once, which nodes that only send
   * do without. Loaded when somebody first comes to the entrance.
   */
  auth(): Promise<Auth>;
  /** Of the session whose cookie this is, if we have signed it. */
  tokenOf(cookie: string | undefined): string | undefined;
  /** Undefined when nobody is signed in, or no longer. */
  findVisitor(headers: IncomingHttpHeaders): Promise<Visitor | undefined>;
};

/** Other passwords than the dear ones are for tests. */
export function openPeople(
  ctx: Context,
  mailer: Mailer,
  passwords: Passwords = createPasswords(),
): People {
  const signing = { name: cookieNameOf(ctx.config), key: ctx.secrets.cookieKey };
  const tokenOf = (cookie: string | undefined) => readToken(cookie, signing);
  return {
    ctx,
    passwords,
    mailer,
    auth: createLazy(async () => {
      const { createAuth } = await import('./auth.ts');
      return createAuth(ctx, passwords);
    }),
    tokenOf,
    async findVisitor({ cookie }) {
      const token = tokenOf(cookie);
      return token === undefined ? undefined : await findVisitorByToken(ctx.db, token);
    },
  };
}
