import { compareVersions } from '../version.ts';
import type { Sql } from './sql.ts';

/** This database cannot be used; the message says why and what to do. */
export class MigrationRefused extends Error {}

/** A version of the program, and the oldest one whose nodes work on its schema. */
export type Program = { version: string; oldest: string };

const VERSION_FACT = 'schema_version';
const OLDEST_FACT = 'oldest_version';
/** Of nodes that do not write so often as they should, such as those of 0.2.0. */
const SEEN_SECONDS = 20;

/** The program that has migrated the database. Before 0.3.0 none was recorded. */
export async function readRecorded(sql: Sql): Promise<Program | undefined> {
  if (!(await hasTable(sql, 'installation'))) return undefined;
  const rows = await sql.query<{ name: string; value: string }>(
    'select name, value from installation where name = any ($1)',
    [[VERSION_FACT, OLDEST_FACT]],
  );
  const facts = new Map(rows.map(({ name, value }) => [name, value]));
  const [version, oldest] = [facts.get(VERSION_FACT), facts.get(OLDEST_FACT)];
  return version === undefined || oldest === undefined ? undefined : { version, oldest };
}

export async function recordProgram(sql: Sql, { version, oldest }: Program): Promise<void> {
  if (!(await hasTable(sql, 'installation'))) return;
  await sql.query(
    `insert into installation (name, value) values ($1, $2), ($3, $4)
     on conflict (name) do update set value = excluded.value`,
    [VERSION_FACT, version, OLDEST_FACT, oldest],
  );
}

/** Whether a newer program has migrated the database. Throws when this one cannot run on that. */
export function refuseTooOld(
  recorded: Program | undefined,
  { version }: Program,
): 'newer' | 'not newer' {
  if (recorded === undefined || compareVersions(recorded.version, version) <= 0) return 'not newer';
  if (compareVersions(version, recorded.oldest) >= 0) return 'newer';
  throw new MigrationRefused(
    `The database was migrated by Zhiber ${recorded.version}, on which nothing older than ${recorded.oldest} runs, and this is ${version}. Start that version, or restore a backup.`,
  );
}

/** Nodes that are too old for the schema of this program would fail on it. */
export async function refuseOldNodes(sql: Sql, { version, oldest }: Program): Promise<void> {
  if (!(await hasTable(sql, 'node_state'))) return;
  const nodes = await sql.query<{ version: string }>(
    `select distinct version from node_state
     where seen_at > clock_timestamp() - make_interval(secs => ${SEEN_SECONDS})`,
  );
  const old = nodes.filter((node) => compareVersions(node.version, oldest) < 0);
  if (old.length === 0) return;
  throw new MigrationRefused(
    `Servers of Zhiber ${old.map((node) => node.version).join(', ')} run on this database, and ${version} works beside ${oldest} or newer alone. Upgrade them to ${oldest} first, or stop them.`,
  );
}

async function hasTable(sql: Sql, name: string): Promise<boolean> {
  const rows = await sql.query('select 1 where to_regclass($1) is not null', [name]);
  return rows.length === 1;
}
