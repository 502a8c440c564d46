import { createHash } from 'node:crypto';
import type pg from 'pg';
import { to } from 'pg-copy-streams';
import { VERSION } from '../../version.ts';
import { COPY_LOCK } from '../closed-database.ts';
import { toSql } from '../database.ts';
import {
  readSchema,
  SCHEMA_FILE_TABLE,
  type SchemaFile,
  textForEmptyDatabase,
} from '../migrate.ts';
import {
  COPY_END,
  ENDING_PREFIX,
  type Ending,
  FORMAT,
  MANIFEST_PREFIX,
  type Manifest,
  NEXT,
  SECRET_PREFIX,
} from './format.ts';
import { listTables, readSource, type Source } from './read-source.ts';

/** How far a dump has come, in bytes of the tables on disk. */
export type Progress = { done: number; total: number };

export type DumpOptions = {
  /** Written into the dump when given. */
  secret?: string | undefined;
  /** Also keeps everybody from writing until the transaction ends, and servers from starting. */
  isExclusive?: boolean;
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Ends the transaction with the last row; otherwise the caller does. */
  endsWhenRead?: boolean;
};

export type Dump = {
  manifest: Manifest;
  chunks: AsyncGenerator<Buffer>;
  /** How many rows of each table were read until now. */
  rows: Ending['rows'];
  /** Ends the transaction. */
  end(): Promise<void>;
};

const LOCK_LIMIT = '10s';
/** The text of a row must not depend on the settings of a server or a role. */
const TEXT_SETTINGS = `set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
set local timezone = 'UTC'; set local extra_float_digits = 3; set local bytea_output = 'hex';
set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;`;

/**
 * Begins a transaction with one snapshot of the whole database, and returns its dump, which is read
 * from that transaction as fast as its reader takes it.
 */
export async function startDump(client: pg.Client, options: DumpOptions = {}): Promise<Dump> {
  const sql = toSql(client);
  // A server that starts meanwhile waits for the end of this session.
  if (options.isExclusive) await client.query('select pg_advisory_lock($1)', [COPY_LOCK]);
  const tables = await listTables(sql);
  if (tables.length > 0) {
    await client.query(
      `begin isolation level repeatable read${options.isExclusive ? '' : ', read only'}`,
    );
    await client.query(`${TEXT_SETTINGS} set local lock_timeout = '${LOCK_LIMIT}'`);
    // Before the snapshot is taken: a partition that is removed later would be missing from it.
    const mode = options.isExclusive ? 'share' : 'access share';
    await client.query(`lock table ${tables.join(', ')} in ${mode} mode`);
  }
  const schema = readSchema();
  const source = await readSource(sql, schema);
  const manifest: Manifest = {
    format: FORMAT,
    version: VERSION,
    postgres: source.postgres,
    at: new Date().toISOString(),
    hasSecret: options.secret !== undefined,
    secretFingerprint: source.secretFingerprint,
    schema: Object.fromEntries(source.schema),
    tables: Object.fromEntries(source.parts.map(({ name, rows }) => [name, rows])),
  };
  const files = schema.tables.filter(({ name }) => source.schema.has(name));
  const rows: Ending['rows'] = {};
  return {
    manifest,
    rows,
    end: async () => void (await client.query('commit')),
    chunks: writeDump(
      { client, manifest, source, rows, tables: files, functions: schema.functions },
      options,
    ),
  };
}

type Contents = {
  client: pg.Client;
  manifest: Manifest;
  source: Source;
  rows: Ending['rows'];
  tables: readonly SchemaFile[];
  functions: readonly SchemaFile[];
};

async function* writeDump(contents: Contents, options: DumpOptions): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const hashed = (chunk: Buffer) => {
    hash.update(chunk);
    return chunk;
  };
  const { client, source, rows } = contents;
  yield hashed(Buffer.from(head(contents, options.secret)));
  const total = source.parts.reduce((sum, { bytes }) => sum + bytes, 0);
  let before = 0;
  for (const { name, columns, bytes } of source.parts) {
    yield hashed(Buffer.from(`copy ${name} (${columns}) from stdin;\n`));
    const copy = client.query(to(`copy ${name} (${columns}) to stdout`));
    let written = 0;
    for await (const chunk of copy as AsyncIterable<Buffer>) {
      written += chunk.length;
      // Rows as text take more or less than on disk, so a table counts for its size there.
      options.onProgress?.({ done: before + Math.min(written, bytes), total });
      yield hashed(chunk);
    }
    before += bytes;
    rows[name] = copy.rowCount;
    yield hashed(Buffer.from(`${COPY_END}\n`));
  }
  if (options.endsWhenRead) await client.query('commit');
  yield hashed(Buffer.from(tail(contents)));
  const ending: Ending = { rows, sha256: hash.digest('hex') };
  yield Buffer.from(`${ENDING_PREFIX}${JSON.stringify(ending)}\n`);
}

function head({ manifest, source, tables }: Contents, secret: string | undefined): string {
  return [
    `${MANIFEST_PREFIX}${JSON.stringify(manifest)}`,
    ...(secret === undefined ? [] : [`${SECRET_PREFIX}${secret}`]),
    '-- `zhiber restore` reads this; so does psql, into an empty database: zcat FILE | psql DATABASE_URL',
    '\\set ON_ERROR_STOP on',
    '\\set QUIET on',
    NEXT,
    'begin;',
    NEXT,
    "set local client_encoding = 'UTF8'; set local standard_conforming_strings = on;",
    TEXT_SETTINGS,
    "set local lock_timeout = 0; set local maintenance_work_mem = '256MB';",
    'set local check_function_bodies = off; set local client_min_messages = warning;',
    ...tables.map((file) => textForEmptyDatabase(file).trim()),
    SCHEMA_FILE_TABLE,
    // The schema files insert rows that the dump contains, too.
    `truncate ${source.tables.join(', ')};`,
    ...source.dropBeforeRows,
    ...source.createPartitions,
    NEXT,
    '',
  ].join('\n');
}

/** Functions come after the rows, because their triggers must not run again. */
function tail({ source, functions }: Contents): string {
  const names = functions.map(({ name, checksum }) => `('function', '${name}', '${checksum}')`);
  const parts = [
    ...source.createAfterRows,
    functions.map(({ text }) => text.trim()).join('\n\n'),
    // These are the functions of this program, whatever the database had.
    "delete from schema_file where kind = 'function';",
    `insert into schema_file (kind, name, checksum) values\n${names.join(',\n')};`,
    ...source.triggers,
    // Without statistics the first statements would get the plans of empty tables.
    `analyze ${source.tables.join(', ')};`,
    'commit;',
  ];
  return parts.map((part) => `${part}\n${NEXT}\n`).join('');
}
