import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../context.ts';
import { openSystemKey } from '../installation/system-company.ts';
import type { ApiKey } from '../keys/api-key.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { CurrentUser } from './current-user.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import { readSessionToken, sessionCookie } from './session-cookie.ts';
import { findUserByToken } from './session-store.ts';
import { findViewByToken } from './view-store.ts';

/** Accounts of people, their sessions and their authentication. */
export type Accounts = {
  readonly ctx: Context;
  readonly passwords: Passwords;
  readonly mailer: Mailer;
  /** The API key that codes for users of the cabinet are sent with. */
  systemKey(): Promise<ApiKey>;
  /**
   * Undefined when there is no valid session. A browser in which an operator looks at a cabinet has
   * no other session meanwhile, so that the pages never mix two companies.
   */
  findUser(headers: IncomingHttpHeaders): Promise<CurrentUser | undefined>;
  /** The Set-Cookie header that ends a view in the browser; undefined when it has none. */
  viewRemoval(headers: IncomingHttpHeaders): string | undefined;
};

/** Tests inject a cheap hasher. */
export function openAccounts(
  ctx: Context,
  mailer: Mailer,
  passwords: Passwords = createPasswords(),
): Accounts {
  return {
    ctx,
    passwords,
    mailer,
    systemKey: openSystemKey(ctx),
    async findUser({ cookie }) {
      const view = readSessionToken(ctx.config, cookie, 'view');
      if (view !== undefined) return await findViewByToken(ctx.db, view);
      const token = readSessionToken(ctx.config, cookie);
      return token === undefined ? undefined : await findUserByToken(ctx.db, token);
    },
    viewRemoval({ cookie }) {
      const hasView = readSessionToken(ctx.config, cookie, 'view') !== undefined;
      return hasView ? sessionCookie(ctx.config, { seconds: 0 }, 'view') : undefined;
    },
  };
}
