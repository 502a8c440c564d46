/** The text of a backup: what goes in comes out, and what was changed is refused. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { before, describe, test } from 'node:test';
import pg from 'pg';
import { toSql } from '../../src/db/database.ts';
import { describeSchema } from '../../src/db/describe-schema.ts';
import { startDump } from '../../src/db/dump/dump-database.ts';
import { ENDING_PREFIX } from '../../src/db/dump/format.ts';
import { loadDump } from '../../src/db/dump/load-dump.ts';
import { parseDump } from '../../src/db/dump/parse-dump.ts';
import { withSession } from '../../src/db/session.ts';
import type { ServerConnection } from '../copy-database.ts';
import { queryOnce } from '../query-once.ts';
import { cloneTemplate, readTestServer } from '../test-database.ts';

/** What COPY, a shell or a careless parser could take for something else. */
const TEXTS = [
  '\\.',
  '\n\\.\n',
  'a\tb\r\n\\N\\\\',
  '-- next',
  '\n-- end {}\n',
  "'; drop table company; --",
  '\\N',
  '',
  'Жібер 🇰🇿 \u0001',
  'x'.repeat(200_000),
];

describe('a dump', { concurrency: false }, () => {
  let source: ServerConnection;
  let text: Buffer;
  before(async () => {
    source = await cloneTemplate('dump_source');
    await fill(source);
    text = await dump(source);
  });

  test('gives the same rows, schema, partitions, triggers and numbers', async () => {
    const copy = await createEmpty('dump_copy');
    // In pieces so short that every marker is cut everywhere.
    await load(copy, pieces(text, 7));
    assert.equal(await fingerprint(copy), await fingerprint(source));
    const [made] = await queryOnce<{ id: string; waits: boolean }>(
      copy,
      `with made as (insert into company (name) values ('next') returning id)
       select id, (select waits_for is not null from broadcast_row) as waits from made`,
    );
    assert.deepEqual(made, { id: String(TEXTS.length + 1), waits: true });
    await assert.rejects(queryOnce(copy, 'truncate entry_2001_05'), /entr/);
  });

  test('is of one moment: what is written meanwhile is not in it', async () => {
    const client = await connect(source);
    const started = await startDump(client, { endsWhenRead: true });
    const iterator = started.chunks[Symbol.asyncIterator]();
    const first = (await iterator.next()).value as Buffer;
    await queryOnce(source, `insert into barred_host (host, reason) values ('late.example', 'x')`);
    const rest: Buffer[] = [first];
    for await (const chunk of { [Symbol.asyncIterator]: () => iterator }) rest.push(chunk);
    await client.end();
    assert.ok(!Buffer.concat(rest).includes('late.example'));
    assert.equal(started.rows.barred_host, 0);
    await queryOnce(source, 'delete from barred_host');
  });

  test('nobody writes during an exclusive one, and readers go on', async () => {
    const client = await connect(source);
    await startDump(client, { isExclusive: true });
    const write = `set lock_timeout = '50ms'; update company set name = name`;
    await assert.rejects(queryOnce(source, write), /lock timeout/);
    await queryOnce(source, 'select count(*) from company');
    await client.end();
  });

  test('that is cut off, changed or newer is refused, and leaves an empty database', async () => {
    const target = await createEmpty('dump_refused');
    const whole = text.toString();
    const [, ending = ''] = whole.split(`\n${ENDING_PREFIX}`);
    const body = whole.slice(0, whole.length - ending.length - ENDING_PREFIX.length);
    const resealed = (changed: string, rows: object = JSON.parse(ending).rows) => {
      const sha256 = createHash('sha256').update(changed).digest('hex');
      return `${changed}${ENDING_PREFIX}${JSON.stringify({ rows, sha256 })}\n`;
    };
    assert.equal(resealed(body), whole);
    const row = /^.*drop table company.*\n/m;
    const cases: [string, string, RegExp][] = [
      ['nothing', '', /not a backup/],
      ['another file', 'select 1;\n', /not a backup/],
      ['half of the manifest', whole.slice(0, 40), /not a backup|damaged|cut off/],
      ['only the manifest', whole.slice(0, whole.indexOf('\n') + 1), /cut off/],
      ['cut within rows', whole.slice(0, whole.search(row) + 3), /cut off/],
      ['without the ending', body, /cut off/],
      ['a changed row', whole.replace('drop table company', 'drop table companx'), /damaged/],
      ['a changed tail', whole.replace('CREATE INDEX', 'create  index'), /damaged/],
      ['a lost row', resealed(body.replace(row, '')), /damaged/],
      ['a lost table', resealed(body, { ...JSON.parse(ending).rows, lost: 1 }), /damaged/],
      ['a newer form', resealed(body.replace('"format":1', '"format":2')), /does not know/],
      ['a newer schema', resealed(body.replace('"schema":{', '"schema":{"9999-x":"",')), /newer/],
      ['another schema', resealed(body.replace(/("0001-\w+":)"\w+"/, '$1"0"')), /another build/],
    ];
    for (const [name, changed, expected] of cases) {
      await assert.rejects(load(target, [Buffer.from(changed)]), expected, name);
    }
    await load(target, [text]);
    await assert.rejects(load(target, [text]), /not empty/);
    assert.equal(await fingerprint(target), await fingerprint(source));
  });
});

test('psql loads it as it is, and nothing of a half', {
  skip: !hasPsql() && 'no psql',
}, async () => {
  const source = await cloneTemplate('psql_source');
  await queryOnce(source, `insert into company (name) values (E'a\\tb\\\\c')`);
  const text = await dump(source);
  const run = (target: ServerConnection, input: Buffer) => {
    const { host, port, user, password, database } = target;
    const place = ['-h', host, '-p', String(port), '-U', user, database];
    const env = { ...process.env, PGPASSWORD: password };
    return spawnSync('psql', ['--no-psqlrc', ...place], { input, env, encoding: 'utf8' });
  };
  const whole = await createEmpty('psql_whole');
  const { status, stderr } = run(whole, text);
  assert.deepEqual([status, stderr], [0, '']);
  assert.equal(await fingerprint(whole), await fingerprint(source));
  const half = await createEmpty('psql_half');
  run(half, text.subarray(0, text.length / 2));
  assert.equal(
    (await queryOnce(half, 'select from pg_class where relname = $1', ['company'])).length,
    0,
  );
});

function hasPsql(): boolean {
  return spawnSync('psql', ['--version']).status === 0;
}

async function fill(source: ServerConnection): Promise<void> {
  for (const each of TEXTS) {
    await queryOnce(source, 'insert into company (name) values (left($1, 200))', [each || '-']);
  }
  await queryOnce(
    source,
    `select make_partition('entry', '2001-05-01', true, 100), make_partition('message', '2001-05-01', true, 60);
     insert into account (company_id) select id from company;
     insert into installation (name, value) values ('secret_fingerprint', 'abc');`,
  );
  for (const [number, each] of TEXTS.entries()) {
    await queryOnce(source, 'insert into installation (name, value) values ($1, $2)', [
      `text ${number}`,
      each,
    ]);
  }
  await queryOnce(
    source,
    `insert into broadcast (id, company_id, name, columns, resume_at)
     values ('01a1f426-0000-7000-8000-000000000001', 1, 'x', array['a,b', 'c"d', '{}', null, 'NULL'], 'infinity');
     insert into broadcast_row (broadcast_id, number, company_id, cells, verdict)
     values ('01a1f426-0000-7000-8000-000000000001', 1, 1, array['\\.', E'\\n'], 'send');
     insert into audit_record (company_id, id, action, object, before, at)
     select 1, 1, 'x', 'y', '{"a": [1, 2.50, null, "\\u00e9\\n"]}', '-infinity';
     insert into message (company_id, id, key_id, kind, is_test, recipient, state, created_at, next_check_at, request_id)
     values (1, uuid_at('2001-05-02'), 1, 'otp', false, 77010000001, 'failed', '2001-05-02', '2001-05-02', 'r');
     update watch set sweep_after = '18446744073709551615';`,
  );
}

async function dump(source: ServerConnection): Promise<Buffer> {
  return await withSession(source, 'dump', async (client) =>
    Buffer.concat(await Array.fromAsync((await startDump(client)).chunks)),
  );
}

function* pieces(text: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < text.length; at += size) yield text.subarray(at, at + size);
}

async function load(target: ServerConnection, chunks: Iterable<Buffer>): Promise<void> {
  await withSession(target, 'load', async (client) => {
    await loadDump(client, await parseDump(Readable.from(chunks)));
  });
}

async function createEmpty(database: string): Promise<ServerConnection> {
  const server = readTestServer();
  await queryOnce({ ...server, database: 'postgres' }, `create database ${database}`);
  return { ...server, database };
}

async function connect(connection: ServerConnection): Promise<pg.Client> {
  const client = new pg.Client(connection);
  await client.connect();
  return client;
}

/** The schema, the partitions with their settings and triggers, and every row as text. */
async function fingerprint(connection: ServerConnection): Promise<string> {
  return await withSession(connection, 'fingerprint', async (client) => {
    const sql = toSql(client);
    const parts = [await describeSchema(sql)];
    const tables = await sql.query<{ name: string; settings: string }>(
      `select c.relname as name, concat_ws(' ', c.reloptions::text, pg_get_expr(c.relpartbound, c.oid),
         (select string_agg(pg_get_triggerdef(t.oid), ';' order by t.tgname) from pg_trigger t
           where t.tgrelid = c.oid and not t.tgisinternal)) as settings
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`,
    );
    for (const { name, settings } of tables) {
      // The one value that is not copied.
      const row = name === 'watch' ? `jsonb_set(to_jsonb(t), '{sweep_after}', '0')` : 't';
      const hidden = name === 'schema_file' ? `where kind = 'table'` : '';
      const [rows] = await sql.query<{ text: string }>(
        `select string_agg(r, chr(10) order by r) as text from (select (${row})::text as r from ${name} t ${hidden}) x`,
      );
      parts.push(name, settings, rows?.text ?? '');
    }
    return parts.join('\n');
  });
}
