import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { EmbeddedRefused } from './refused.ts';

/**
 * Who runs PostgreSQL. It refuses to run as root, so under root it gets another user of the system;
 * under anybody else it runs as that person, and there is no account to change to.
 */
export type Account = { uid: number; gid: number };

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The user that a new cluster will belong to; only to be asked under root. */
export function chooseAccount(): Account {
  const present = findAccount('postgres') ?? findAccount('zhiber');
  if (present !== undefined) return present;
  const makers: [string, string[]][] = [
    ['useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', 'zhiber']],
    ['adduser', ['-S', '-D', '-H', 'zhiber']],
  ];
  for (const [command, args] of makers) {
    spawnSync(command, args, { stdio: 'ignore' });
    const made = findAccount('zhiber');
    if (made !== undefined) return made;
  }
  const nobody = findAccount('nobody');
  if (nobody !== undefined) return nobody;
  throw new EmbeddedRefused(
    'PostgreSQL does not run as root, and no other user could be found or made. ' +
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

/** Asks the system itself, as that user: modes, groups, access lists and mounts all have a say. */
export function canReach(account: Account, path: string): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], {
    ...account,
    cwd: '/',
    stdio: 'ignore',
  });
  return status === 0;
}
