import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  readFile,
  realpath,
  unlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { type Account, canReach } from './account.ts';
import { EmbeddedRefused } from './refused.ts';

/** Where things go that root owns and another user must reach, when the data folder is private. */
export const SYSTEM_DIR = '/var/lib/zhiber';

/** The system's limit is 108 bytes, 104 on macOS; the name of the socket takes 14 of them. */
const SOCKET_DIR_BYTES_MAX = 88;

/** Everything on disk that belongs to one embedded database. */
export type Folders = {
  dataDir: string;
  /** The cluster, or a symlink to it; it appears complete or not at all. */
  cluster: string;
  /** Where a new cluster is made: beside its final place, or in the system folder. */
  nursery: string;
  isPrivate: boolean;
  socketDir: string;
  logFile: string;
  passwordFile: string;
  /** Holds the pid of the server whose data folder this is, also while its database is away. */
  ownerFile: string;
};

export async function prepareFolders(
  dataDir: string,
  account: Account | undefined,
): Promise<Folders> {
  // Under root the other user must be able to pass through, though not to look around.
  await mkdir(dataDir, { recursive: true, mode: account === undefined ? 0o700 : 0o711 });
  const real = await realpath(dataDir);
  const isPrivate = account !== undefined && !canReach(account, real);
  const hash = createHash('sha256').update(real).digest('hex').slice(0, 16);
  const systemDir = path.join(SYSTEM_DIR, hash);
  const nursery = isPrivate ? systemDir : real;
  await mkdir(nursery, { recursive: true, mode: 0o711 });
  const socketDir = chooseSocketDir(nursery, hash);
  await makePrivateDir(socketDir, account);
  return {
    dataDir: real,
    cluster: path.join(real, 'postgres'),
    nursery,
    isPrivate,
    socketDir,
    logFile: path.join(real, 'postgres.log'),
    passwordFile: path.join(real, 'database-password'),
    ownerFile: path.join(real, 'server.pid'),
  };
}

function chooseSocketDir(nursery: string, hash: string): string {
  const near = path.join(nursery, 'postgres-socket');
  // Not os.tmpdir(): a command run with another TMPDIR must find the same socket.
  return Buffer.byteLength(near) <= SOCKET_DIR_BYTES_MAX ? near : `/tmp/zhiber-${hash}`;
}

/** Makes a folder for one user alone; refuses one that somebody else put there first. */
async function makePrivateDir(dir: string, account: Account | undefined): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return;
  const found = await lstat(dir);
  const owners = [process.getuid?.(), account?.uid];
  if (!found.isDirectory() || !owners.includes(found.uid)) {
    throw new EmbeddedRefused(
      `${dir} belongs to somebody else; it is needed for the database's socket.`,
    );
  }
  if (account !== undefined) await chown(dir, account.uid, account.gid);
  await chmod(dir, 0o700);
}

/** The password of the database, made on the first start; of two at once, one file wins. */
export async function readPassword(folders: Folders): Promise<string> {
  if (!(await exists(folders.passwordFile))) {
    const fresh = `${folders.passwordFile}-${process.pid}-${randomBytes(4).toString('hex')}`;
    await writeFile(fresh, randomBytes(24).toString('hex'), { mode: 0o600, flag: 'wx' });
    await link(fresh, folders.passwordFile).catch((error: unknown) => {
      if (!wasTaken(error)) throw error;
    });
    await unlink(fresh);
  }
  return (await readFile(folders.passwordFile, 'utf8')).trim();
}

export async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

/** Whether a rename, link or symlink failed because another process had been faster. */
export function wasTaken(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return code === 'EEXIST' || code === 'ENOTEMPTY';
}
