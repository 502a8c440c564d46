import { recordAuditEvent } from '../audit-log/audit-log-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { openSystemCompany } from '../installation/system-company.ts';
import { deleteBarredHost, insertBarredHost } from './barred-host-store.ts';

/** The operator's command line: the audit log records no person for it. */
const OPERATOR = {};

type Ctx = Pick<Context, 'db' | 'clock'>;
type Barring = {
  host: string;
  reason: string | undefined;
  /** Written last in the same transaction, when something changes. */
  write?: ((tx: Transaction) => Promise<void>) | undefined;
};

/**
 * Closes all short links to a host and its subdomains, and refuses new ones. Without a reason the
 * host is allowed again. Recorded in the audit log of the installation's own company. False when
 * nothing changes.
 */
export async function barHost(ctx: Ctx, { host, reason, write }: Barring): Promise<boolean> {
  const companyId = await openSystemCompany(ctx);
  return await ctx.db.transaction(async (tx) => {
    const isChanged =
      reason === undefined
        ? await deleteBarredHost(tx, host)
        : await insertBarredHost(tx, { host, reason });
    if (isChanged) {
      await recordAuditEvent(tx, OPERATOR, {
        companyId,
        action: reason === undefined ? 'host.unbarred' : 'host.barred',
        object: host,
        ...(reason !== undefined && { after: { reason } }),
      });
      await write?.(tx);
    }
    return isChanged;
  });
}

/** Labels of a name or an address, or an IPv6 address. A pattern like `*.evil.kz` is none. */
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:.]+\])$/;

/** The form of a host name in a URL; undefined when it is none. */
export function readHost(text: string): string | undefined {
  const url = URL.parse(`http://${text.trim()}`);
  const isPlain = url !== null && url.pathname === '/' && url.port === '' && url.username === '';
  if (!isPlain || url.search !== '' || url.hash !== '') return undefined;
  const host = url.hostname.replace(/\.+$/, '');
  return HOST.test(host) ? host : undefined;
}
