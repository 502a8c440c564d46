/** The programs that the example runs and does not bring. On Debian: patroni, etcd-server, haproxy, postgresql. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import path from 'node:path';

const POSTGRES_PROGRAMS = [
  'initdb',
  'postgres',
  'pg_ctl',
  'pg_basebackup',
  'pg_rewind',
  'pg_controldata',
];

export type Programs = { patroni: string; etcd: string; haproxy: string; postgresFolder: string };

/** Where they are, and the names of those that are not installed. */
export function findPrograms(): { programs: Programs; missing: string[] } {
  const programs = {
    patroni: find('patroni'),
    etcd: find('etcd'),
    haproxy: find('haproxy') ?? existing('/usr/sbin/haproxy'),
    postgresFolder: findPostgres(),
  };
  const missing = Object.entries(programs)
    .filter(([, place]) => place === undefined)
    .map(([name]) => (name === 'postgresFolder' ? 'postgresql' : name));
  return { programs: programs as Programs, missing };
}

/** What `patroni --version` prints. */
export function readPatroniVersion(patroni: string): string {
  return spawnSync(patroni, ['--version'], { encoding: 'utf8' }).stdout;
}

/**
 * Before 3.0.3, a primary that was paused takes its lock from the one that replaced it, and what was
 * acknowledged meanwhile is lost (patroni/patroni, pull request 2689).
 */
export function survivesPausedPrimary(patroniVersion: string): boolean {
  const [major = 0, minor = 0, patch = 0] = (/[\d.]+/.exec(patroniVersion)?.[0] ?? '')
    .split('.')
    .map(Number);
  return major > 3 || (major === 3 && (minor > 0 || patch >= 3));
}

function find(name: string): string | undefined {
  const { status, stdout } = spawnSync('which', [name], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

function existing(file: string): string | undefined {
  return existsSync(file) ? file : undefined;
}

/** The newest server with all tools. The one that comes with the service has no `pg_rewind`. */
function findPostgres(): string | undefined {
  return globSync('/usr/lib/postgresql/*/bin')
    .filter((folder) => POSTGRES_PROGRAMS.every((name) => existsSync(path.join(folder, name))))
    .sort((a, b) => versionOf(b) - versionOf(a))[0];
}

function versionOf(folder: string): number {
  return Number(path.basename(path.dirname(folder)));
}
