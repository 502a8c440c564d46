import type { Config, Mode } from '../config/config.ts';
import { isLocalHost } from '../config/local-host.ts';
import type { Sql } from '../db/sql.ts';
import { storeFactOnce } from './fact-store.ts';

/** A start that would mix sandbox and live; the message says how to go on. */
export class ModeRefused extends Error {}

export const MODE_FACT = 'mode';

/**
 * Sandbox data stays a sandbox's and live data stays live: the first start records the mode, and a
 * start in the other one is refused. What a sandbox hands out (keys, sessions, balances) is free to
 * have, and live data in a sandbox would show every code to everybody.
 */
export async function openMode(config: Config, mode: Mode, sql: Sql): Promise<void> {
  const recorded = await storeFactOnce(sql, MODE_FACT, mode);
  if (recorded !== mode) throw new ModeRefused(describeOtherMode(config, recorded));
}

export function describeOtherMode({ databaseUrl, dataDir }: Config, recorded: string): string {
  const isEmbedded = databaseUrl === undefined;
  const data = isEmbedded ? `The data in ${dataDir}` : 'The database of DATABASE_URL';
  if (recorded === 'live') {
    const other = isEmbedded ? 'DATA_DIR to another folder' : 'DATABASE_URL to another database';
    return (
      `${data} is live, and no provider is configured. Set the settings of the provider again; ` +
      `to start a sandbox, set ${other}.`
    );
  }
  const other = isEmbedded
    ? 'Remove DATA_DIR, or set it to a new folder,'
    : 'Set DATABASE_URL to an empty database';
  return (
    `${data} was made in a sandbox: its keys, people and balances must not become live. ` +
    `${other} to begin with clean live data.`
  );
}

/** Throws unless a sandbox that others can reach was asked for: it shows its codes to everybody. */
export function refuseOpenSandbox(config: Config): void {
  const reason = findOpenSandbox(config);
  if (reason !== undefined) throw new ModeRefused(reason);
}

/** Why others could reach a sandbox that is meant for this machine alone. */
export function findOpenSandbox({
  mode,
  isSandboxPublic,
  host,
  publicUrl,
}: Config): string | undefined {
  if (mode === 'live' || isSandboxPublic) return undefined;
  const open = !isLocalHost(host)
    ? `HOST ${host}`
    : publicUrl !== undefined && !isLocalHost(new URL(publicUrl).hostname)
      ? `PUBLIC_URL ${publicUrl}`
      : undefined;
  if (open === undefined) return undefined;
  return (
    `No provider is configured, so this is a sandbox, and with ${open} others could read its ` +
    'codes and keys. Configure a provider, or set SANDBOX=public if everybody may use this sandbox.'
  );
}
