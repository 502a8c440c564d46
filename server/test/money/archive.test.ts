import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { ArchiveConfig } from '../../src/config/archive-settings.ts';
import { archiveMonth } from '../../src/installation/archive/archive-month.ts';
import type { ArchivePlace } from '../../src/installation/archive/archive-place.ts';
import { listArchived } from '../../src/installation/archive/archive-store.ts';
import { openArchive } from '../../src/installation/archive/open-archive.ts';
import { signS3 } from '../../src/installation/archive/sign-s3.ts';
import { removeOutdated } from '../../src/jobs/remove-outdated.ts';
import { insertPastMessages } from '../cabinet/past-messages.ts';
import { type TestKey, useService } from '../harness.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { S3_KEY, startS3 } from './s3-server.ts';

const service = useService();
const never = new AbortController().signal;
const MESSAGES = 40;
const now = new Date();
/** Ended more than 400 days ago, which is how long messages are kept. */
const OLD = new Date(Date.UTC(now.getUTCFullYear() - 1, now.getUTCMonth() - 3, 1));
const SUFFIX = `_${OLD.toISOString().slice(0, 7).replace('-', '_')}`;
const TABLES = ['message', 'attempt', 'click', 'request_log'] as const;
let key: TestKey;
let s3: Awaited<ReturnType<typeof startS3>>;
before(async () => {
  s3 = await startS3('archive');
});
after(() => s3?.stop());

async function makeOldMonth(): Promise<void> {
  key = await service.key({ balance: 1_000 });
  for (const table of TABLES) {
    const isById = table === 'message' || table === 'attempt';
    await service.sql('select make_partition($1, $2, $3, 80)', [table, OLD, isById]);
  }
  const hours = (Date.now() - OLD.getTime()) / 3_600_000 - 240;
  await insertPastMessages(service.sql, {
    ...key,
    count: MESSAGES,
    fromHours: hours,
    toHours: hours - 48,
    columns: { charged: '3', attempt: 'case when n % 4 = 0 then 2 else 1 end' },
  });
  await service.sql(
    `insert into attempt (company_id, message_id, number, channel, state, price, started_at)
     select company_id, id, k, (array['whatsapp', 'sms'])[k]::channel, 'accepted', 3, created_at
     from message${SUFFIX}, generate_series(1, 2) as k where attempt = 2`,
  );
  await service.sql(
    `insert into request_log (company_id, at, key_id, request_id, path, status, duration_ms, request_body)
     values ($1, $2, $3, 'req_old', '/api/otp/verify', 422, 5, E'{"a": "two\\nlines \\\\ and ''quotes''"}')`,
    [key.companyId, new Date(OLD.getTime() + 86_400_000), key.keyId],
  );
}

const remove = (archive: ArchiveConfig) =>
  removeOutdated({ ...service.ctx, config: { ...service.ctx.config, archive } }, never);

const isThere = async (table: string) => {
  const [row] = await service.sql<{ is_there: boolean }>(
    'select to_regclass($1) is not null as is_there',
    [`${table}${SUFFIX}`],
  );
  return row?.is_there;
};

async function forgetArchive(): Promise<void> {
  await service.sql('delete from archived_file');
}

/** As the documentation says: the lines become rows again. */
async function loadAgain(table: string, lines: string[]): Promise<void> {
  await service.sql(`create table ${table}_again (like ${table})`);
  await service.sql(
    `insert into ${table}_again
     select (json_populate_record(null::${table}, line::json)).* from unnest($1::text[]) as line`,
    [lines],
  );
}

for (const kind of ['folder', 's3'] as const) {
  test(`a month goes to the archive before it is dropped, and every row comes back: ${kind}`, async () => {
    await forgetArchive();
    await makeOldMonth();
    for (const table of TABLES) {
      await service.sql(`create table ${table}_kept as select * from ${table}${SUFFIX}`);
    }
    const folder = createTemporaryFolder('archive');
    const config: ArchiveConfig =
      kind === 'folder'
        ? { kind, folder }
        : { kind, ...S3_KEY, endpoint: s3.endpoint, bucket: 'archive', prefix: ['a b', 'zhiber'] };
    const removed = await remove(config);
    assert.deepEqual([removed.message, removed.click, removed.request_log], [1, 1, 1]);
    const place = openArchive(config);
    for (const table of TABLES) {
      assert.equal(await isThere(table), false, table);
      const manifest = JSON.parse((await place.read(`${table}${SUFFIX}.json`)).toString());
      const lines: string[] = [];
      for (const { file } of manifest.files) {
        lines.push(
          ...gunzipSync(await place.read(file))
            .toString()
            .split('\n')
            .slice(0, -1),
        );
      }
      assert.equal(lines.length, manifest.rows, table);
      await loadAgain(table, lines);
      const differing = await service.sql(
        `(table ${table}_kept except table ${table}_again) union all (table ${table}_again except table ${table}_kept)`,
      );
      assert.deepEqual(differing, [], table);
      await service.sql(`drop table ${table}_kept, ${table}_again`);
    }
    const listed = await listArchived(service.ctx.db);
    assert.deepEqual(
      listed.map(({ table, rows, is_kept }) => [table, Number(rows), is_kept]),
      [
        ['attempt', MESSAGES / 2, false],
        ['message', MESSAGES, false],
        ['request_log', 1, false],
      ],
    );
  });
}

test('a month stays when its archive cannot be written, or comes back otherwise than it was written', async () => {
  await forgetArchive();
  await makeOldMonth();
  const folder = createTemporaryFolder('archive');
  const real = openArchive({ kind: 'folder', folder });
  const part = {
    table: 'message',
    name: `message${SUFFIX}`,
    month: OLD.toISOString().slice(0, 10),
  };
  const faults: Record<string, Partial<ArchivePlace>> = {
    'the place is full': { write: async () => Promise.reject(new Error('no space')) },
    'half a file': {
      write: (file, content) => real.write(file, content.subarray(0, content.length / 2)),
    },
    'a whole file with a row less': {
      async read(file) {
        const lines = gunzipSync(await real.read(file))
          .toString()
          .split('\n');
        return gzipSync(lines.slice(1).join('\n'));
      },
    },
    'another file': { read: () => real.read('other') },
    'a file that is not there': { read: () => real.read('nothing') },
  };
  await real.write('other', Buffer.from('other'));
  for (const [name, fault] of Object.entries(faults)) {
    await assert.rejects(archiveMonth(service.ctx.db, { ...real, ...fault }, part, never), name);
  }
  assert.deepEqual(await listArchived(service.ctx.db), []);
  // A store that refuses the key, through the job.
  await assert.rejects(
    remove({
      kind: 's3',
      ...S3_KEY,
      keyId: 'NOBODY',
      endpoint: s3.endpoint,
      bucket: 'archive',
      prefix: [],
    }),
    /left in message, click, request_log$/,
  );
  for (const table of TABLES) assert.equal(await isThere(table), true, table);
});

test('what was written before an interruption is not written again, and a row too many is found', async () => {
  await forgetArchive();
  const folder = createTemporaryFolder('archive');
  const config: ArchiveConfig = { kind: 'folder', folder };
  const place = openArchive(config);
  const part = {
    table: 'message',
    name: `message${SUFFIX}`,
    month: OLD.toISOString().slice(0, 10),
  };
  let written = 0;
  const counting: ArchivePlace = {
    ...place,
    async write(file, content) {
      if (file.endsWith('.gz')) written += 1;
      else if (written === 1) throw new Error('interrupted before the manifest');
      await place.write(file, content);
    },
  };
  await assert.rejects(archiveMonth(service.ctx.db, counting, part, never), /interrupted/);
  written = 7;
  assert.equal(await archiveMonth(service.ctx.db, counting, part, never), true);
  assert.equal(written, 7);
  await service.sql('update archived_file set row_count = row_count - 1');
  await assert.rejects(
    archiveMonth(service.ctx.db, place, part, never),
    /39 rows in the archive, 40 in the table/,
  );
  const stopped = AbortSignal.abort();
  assert.equal(await archiveMonth(service.ctx.db, place, part, stopped), false);
  await remove(config);
  assert.equal(await isThere('message'), false);
  assert.deepEqual(
    readdirSync(folder).filter((file) => file.endsWith('.part')),
    [],
  );
  assert(existsSync(path.join(folder, `message${SUFFIX}.json`)));
});

test('requests are signed as another library signs them', () => {
  const aws4 = createRequire(import.meta.url)('aws4') as {
    sign(request: object, key: object): { headers: Record<string, string> };
  };
  for (const { body, pathname, method } of [
    { method: 'PUT', pathname: '/archive/zhiber/message_2025_09.json', body: Buffer.from('{}') },
    {
      method: 'GET',
      pathname: '/archive/a%20b/message_2025_09-000002048.jsonl.gz',
      body: undefined,
    },
  ] as const) {
    const at = new Date('2026-11-19T01:02:03.456Z');
    const url = new URL(`https://storage.example.kz:9000${pathname}`);
    const key = { keyId: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
    const { authorization, ...headers } = signS3({ method, url, body, at, region: 'kz-1', ...key });
    assert.equal(headers['x-amz-date'], '20261119T010203Z');
    const signed = aws4.sign(
      { service: 's3', region: 'kz-1', method, path: pathname, headers },
      { accessKeyId: key.keyId, secretAccessKey: key.secret },
    );
    assert.equal(authorization, signed.headers.Authorization);
  }
});
