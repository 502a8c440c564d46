/**
 * The PostgreSQL that comes with Zhiber: made on the first start, started when nobody else has it
 * running, joined when somebody has, brought back when it dies under a running server, stopped by
 * the last one out. It outlives a killed process on purpose: the next start simply joins it, and
 * nothing has to be repaired.
 */
import { findBinaries } from './embedded/binaries.ts';
import { accountFor, DATABASE, ensureCluster } from './embedded/cluster.ts';
import { exists, prepareFolders, readPassword } from './embedded/folders.ts';
import { isRunning, type Place, stopPostmaster } from './embedded/postmaster.ts';
import {
  announceOwner,
  becomeOwner,
  type Connection,
  findOwnerPid,
  isLastOut,
  isOwnerAlive,
  leave,
  type Presence,
  withdrawOwner,
} from './embedded/presence.ts';
import { EmbeddedRefused } from './embedded/refused.ts';
import { type Entered, enterRunning, startOrJoin } from './embedded/start-or-join.ts';
import { type Report, supervise } from './embedded/supervise.ts';

export type EmbeddedDatabase = {
  connection: Connection;
  version: string;
  /** True when another process had it running already. */
  joined: boolean;
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  dataDir: string;
  /** owner: the server itself, one per data folder. visitor: a command that comes and goes. */
  as: 'owner' | 'visitor';
  log: Report;
};

/** Another server already owns this data folder. */
export class DataFolderInUse extends EmbeddedRefused {
  readonly pid: number | undefined;

  constructor(dataDir: string, pid: number | undefined) {
    const who = pid === undefined ? 'another process' : `another process (pid ${pid})`;
    super(`The database in ${dataDir} is in use by ${who}. Stop it, or set DATA_DIR.`);
    this.name = 'DataFolderInUse';
    this.pid = pid;
  }
}

/** What entering a server that is just starting may take, when all that is wanted is to stop it. */
const STOP_ENTER_LIMIT_MS = 10_000;

/** Opens the database of a data folder, and makes, starts or joins it as needed. */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const account = await accountFor(options.dataDir);
  const folders = await prepareFolders(options.dataDir, account);
  const binaries = await findBinaries(account);
  const place: Place = { folders, binaries, account };
  const password = await readPassword(folders);
  if (!(await exists(folders.cluster))) {
    options.log(`Making a new database in ${folders.dataDir}`, 'debug');
    await ensureCluster({ ...place, password });
  }
  const { as: role, log } = options;
  const entered = await enterAs(place, password, { role });
  const { connection, joined } = entered;
  if (role === 'owner') await announceOwner(folders);
  const version = await readVersion(entered.presence);
  const supervision =
    role === 'owner'
      ? supervise({
          presence: entered.presence,
          // The pool knows one address, so the server comes back at the same one.
          bringBack: (signal) =>
            enterAs({ ...place, port: connection.port }, password, { role, signal }),
          log,
        })
      : undefined;
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await supervision?.end();
    const presence = supervision === undefined ? entered.presence : supervision.presence();
    await stopOrLeave({ place, password, role, log }, presence);
  };
  return {
    connection: { ...connection, database: DATABASE },
    version,
    joined,
    stop: () => (stopping ??= stop()),
  };
}

/** Starts or joins the server, and takes the one place of its owner when that is the role. */
async function enterAs(
  place: Place,
  password: string,
  options: { role: EmbeddedOptions['as']; signal?: AbortSignal },
): Promise<Entered> {
  const entered = await startOrJoin(place, password, options);
  const { presence } = entered;
  try {
    if (options.role === 'visitor' || (await becomeOwner(presence))) return entered;
    throw new DataFolderInUse(place.folders.dataDir, await findOwnerPid(presence));
  } catch (error) {
    await leave(presence.client);
    throw error;
  }
}

async function readVersion({ client }: Presence): Promise<string> {
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  return rows[0]?.server_version ?? 'unknown';
}

/** Stops the server when nobody else uses it. */
async function stopOrLeave(
  opened: { place: Place; password: string; role: string; log: Report },
  known: Presence | undefined,
): Promise<void> {
  const { place, password, role, log } = opened;
  // Without its connection this process cannot tell who else is there, so it asks again.
  const presence =
    known === undefined || known.isLost()
      ? await enterRunning(place, password, { role, limitMs: STOP_ENTER_LIMIT_MS })
      : known;
  if (presence === undefined) {
    if (isRunning(place.folders)) log('PostgreSQL was left running: it does not answer.', 'warn');
    return;
  }
  try {
    if (role === 'owner') await withdrawOwner(place.folders);
    if ((await isLastOut(presence)) && !isOwnerAlive(place.folders)) await stopPostmaster(place);
  } catch (error) {
    // Or else it has gone away by itself in this very moment, and is stopped.
    if (isRunning(place.folders)) {
      log(`PostgreSQL was left running: ${(error as Error).message}`, 'warn');
    }
  } finally {
    await leave(presence.client);
  }
}
