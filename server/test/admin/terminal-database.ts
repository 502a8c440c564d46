import type { Context } from '../../src/context.ts';

/** The database of a service in this process, as a command is told of it. */
export function databaseUrlOf({ ctx }: { ctx: Pick<Context, 'db'> }): string {
  const { host = '', port, user, password, database } = ctx.db.pool.options;
  const login = `${user}${password ? `:${encodeURIComponent(String(password))}` : ''}`;
  return host.startsWith('/')
    ? `postgres://${login}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
    : `postgres://${login}@${host}:${port}/${database}`;
}
