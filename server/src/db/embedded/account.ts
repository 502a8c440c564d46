import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { EmbeddedRefused } from './refused.ts';

/**
 * The system user that runs PostgreSQL, which refuses to run as root. When Zhiber runs as any other
 * user, PostgreSQL runs as that user too, and there is no account to change to.
 */
export type Account = { uid: number; gid: number };

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The user that will own a new cluster; only called under root. */
export function chooseAccount(): Account {
  const existing = findAccount('postgres') ?? findAccount('zhiber');
  if (existing !== undefined) return existing;
  const creators: [string, string[]][] = [
    ['useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', 'zhiber']],
    ['adduser', ['-S', '-D', '-H', 'zhiber']],
  ];
  for (const [command, args] of creators) {
    spawnSync(command, args, { stdio: 'ignore' });
    const created = findAccount('zhiber');
    if (created !== undefined) return created;
  }
  const nobody = findAccount('nobody');
  if (nobody !== undefined) return nobody;
  throw new EmbeddedRefused(
    'PostgreSQL does not run as root, and no other user could be found or created. ' +
      'Start Zhiber as an ordinary user, or set DATABASE_URL.',
  );
}

function findAccount(name: string): Account | undefined {
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [login, , uid, gid] = line.split(':');
    if (login === name) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

/** Tests as that user, because modes, groups, access lists and mounts all matter. */
export function canReach(account: Account, path: string): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], {
    ...account,
    cwd: '/',
    stdio: 'ignore',
  });
  return status === 0;
}
