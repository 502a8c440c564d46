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

/** For files that root owns and another user must reach, when the data folder is private. */
export const SYSTEM_DIR = '/var/lib/zhiber';

/** A socket path is limited to 108 bytes, 104 on macOS; the file name takes 14 of them. */
const SOCKET_DIR_BYTES_MAX = 88;

/** Everything on disk that belongs to one embedded database. */
export type Folders = {
  dataDir: string;
  /** The cluster, or a symlink to it; complete or absent. */
  cluster: string;
  /** Where a new cluster is built: beside its final place, or in the system folder. */
  stagingDir: string;
  isPrivate: boolean;
  socketDir: string;
  logFile: string;
  passwordFile: string;
  /** Holds the pid of the server that owns this data folder, also while its database is away. */
  ownerFile: string;
};

export async function prepareFolders(
  dataDir: string,
  account: Account | undefined,
): Promise<Folders> {
  // Under root the other user must be able to traverse the folder, but not to list it.
  await mkdir(dataDir, { recursive: true, mode: account === undefined ? 0o700 : 0o711 });
  const real = await realpath(dataDir);
  const isPrivate = account !== undefined && !canReach(account, real);
  const hash = createHash('sha256').update(real).digest('hex').slice(0, 16);
  const systemDir = path.join(SYSTEM_DIR, hash);
  const stagingDir = isPrivate ? systemDir : real;
  await mkdir(stagingDir, { recursive: true, mode: 0o711 });
  const socketDir = chooseSocketDir(stagingDir, hash);
  await makePrivateDir(socketDir, account);
  return {
    dataDir: real,
    cluster: path.join(real, 'postgres'),
    stagingDir,
    isPrivate,
    socketDir,
    logFile: path.join(real, 'postgres.log'),
    passwordFile: path.join(real, 'database-password'),
    ownerFile: path.join(real, 'server.pid'),
  };
}

function chooseSocketDir(stagingDir: string, hash: string): string {
  const near = path.join(stagingDir, 'postgres-socket');
  // Not os.tmpdir(): a command run with another TMPDIR must find the same socket.
  return Buffer.byteLength(near) <= SOCKET_DIR_BYTES_MAX ? near : `/tmp/zhiber-${hash}`;
}

/** Creates a folder for one user alone; refuses one that another user created first. */
async function makePrivateDir(dir: string, account: Account | undefined): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return;
  const found = await lstat(dir);
  const owners = [process.getuid?.(), account?.uid];
  if (!found.isDirectory() || !owners.includes(found.uid)) {
    throw new EmbeddedRefused(
      `${dir} belongs to another user; the socket of the database needs this folder.`,
    );
  }
  if (account !== undefined) await chown(dir, account.uid, account.gid);
  await chmod(dir, 0o700);
}

/** The password of the database, generated on the first start; of two at once, one file wins. */
export async function readPassword(folders: Folders): Promise<string> {
  if (!(await exists(folders.passwordFile))) {
    const fresh = `${folders.passwordFile}-${process.pid}-${randomBytes(4).toString('hex')}`;
    await writeFile(fresh, randomBytes(24).toString('hex'), { mode: 0o600, flag: 'wx' });
    await link(fresh, folders.passwordFile).catch((error: unknown) => {
      if (!isAlreadyExistsError(error)) throw error;
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

/** Whether a rename, link or symlink failed because another process was faster. */
export function isAlreadyExistsError(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return code === 'EEXIST' || code === 'ENOTEMPTY';
}
