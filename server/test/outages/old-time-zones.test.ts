import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pino from 'pino';
import { type App, openApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { findBinaries } from '../../src/db/embedded/binaries.ts';
import { accountFor, DATABASE, run } from '../../src/db/embedded/cluster.ts';
import { prepareFolders } from '../../src/db/embedded/folders.ts';
import { openEmbedded } from '../../src/db/embedded.ts';
import { addUpClicks } from '../../src/links/click-store.ts';
import type { ClickRange } from '../../src/links/count-clicks.ts';
import { listLinks, readLink } from '../../src/links/list-links.ts';
import { createLink } from '../../src/links/shorten-link.ts';
import { createFixtures } from '../harness.ts';
import { createHome } from '../start/serve-harness.ts';

const HOUR_MS = 3_600_000;
const HALF_HOUR_MS = HOUR_MS / 2;
const DAY_MS = 24 * HOUR_MS;
const ACTOR = { origin: { requestId: 'req_zones', address: '192.0.2.1', device: 'Firefox' } };

const home = createHome();
let app: App;

before(async () => {
  await createWithOldZones(home.dataDir);
  app = await openApp(
    readConfig({ DATA_DIR: home.dataDir, PORT: '0' }),
    pino({ level: 'error' }, pino.destination(2)),
  );
  const [zone] = await app.ctx.db.query(
    `select extract(epoch from (now() at time zone 'Asia/Almaty') - (now() at time zone 'UTC'))::integer as almaty,
       current_setting('timezone') as session`,
  );
  assert.deepEqual(
    zone,
    { almaty: 6 * 3_600, session: 'Asia/Kolkata' },
    'the outdated time zones were not installed',
  );
});
after(async () => {
  await app?.stop();
  await home.remove();
});

/**
 * Creates a database with time zone rules from before 2024, when Almaty moved to UTC+5, and with
 * sessions in a zone that is half an hour off.
 */
async function createWithOldZones(dataDir: string): Promise<void> {
  const embedded = await openEmbedded({ dataDir, as: 'visitor', log: () => undefined });
  await embedded.stop();
  const account = await accountFor(dataDir);
  const { cluster } = await prepareFolders(dataDir, account);
  const { postgres } = await findBinaries(account);
  const oldZone = (from: string, to: string, builtIn: string) => [
    `create function pg_catalog.own_${builtIn}(text, ${from}) returns ${to} language internal stable as '${builtIn}';`,
    // PostgreSQL calls built-in functions by number, so the replacement works only when inlined.
    // It is inlined because it uses each argument once and is not strict.
    `create or replace function pg_catalog.timezone(text, ${from}) returns ${to} language sql stable as ` +
      `'select own_${builtIn}(case $1 when ''Asia/Almaty'' then ''UTC-6'' else $1 end, $2)';`,
  ];
  // In single-user mode each line is a statement, and -O allows changes to built-in functions.
  const statements = [
    ...oldZone('timestamptz', 'timestamp', 'timestamptz_zone'),
    ...oldZone('timestamp', 'timestamptz', 'timestamp_zone'),
    `alter database ${DATABASE} set timezone = 'Asia/Kolkata';`,
    '',
  ].join('\n');
  await run(postgres, ['--single', '-O', '-D', cluster, DATABASE], account, statements);
}

/** Midnight in Almaty some days ago, computed without time zone data. */
function midnight(daysAgo: number): number {
  const today = Math.floor((Date.now() + 5 * HOUR_MS) / DAY_MS);
  return (today - daysAgo) * DAY_MS - 5 * HOUR_MS;
}

async function createClickedLink(alias: string, times: number[]) {
  const { ctx } = app;
  const companyId = await createFixtures(() => ctx).company();
  await createLink(ctx, ACTOR, { companyId, url: 'https://example.kz/', alias });
  await ctx.db.query(
    `insert into click (slug_key, company_id, at) select $1, $2, unnest($3::timestamptz[])`,
    [alias, companyId, times.map((ms) => new Date(ms))],
  );
  return {
    companyId,
    read: (range: ClickRange) => readLink(ctx, { companyId, slug: alias, range }),
    count: async (range: ClickRange) =>
      (await listLinks(ctx, { companyId, range })).links[0]?.clicks.people,
  };
}

test('clicks are counted by days in UTC+5, even with outdated time zone data', async () => {
  const edge = midnight(2);
  const { read } = await createClickedLink('edges', [edge - HALF_HOUR_MS, edge + HALF_HOUR_MS]);
  const { buckets } = await read('7d');
  assert.deepEqual(
    buckets.map(({ at, people }) => [at.getTime(), people]),
    [
      [midnight(6), 0],
      [midnight(5), 0],
      [midnight(4), 0],
      [midnight(3), 1],
      [midnight(2), 1],
      [midnight(1), 0],
      [midnight(0), 0],
    ],
  );
  const all = (await read('all')).buckets;
  assert.deepEqual(
    all.map(({ at, people }) => [at.getTime(), people]),
    [
      [midnight(3), 1],
      [midnight(2), 1],
      [midnight(1), 0],
      [midnight(0), 0],
    ],
  );
});

test('a range of days begins at midnight in UTC+5', async () => {
  const edges = [midnight(6), midnight(29)];
  const times = edges.flatMap((edge) => [edge - HALF_HOUR_MS, edge + HALF_HOUR_MS]);
  const { count } = await createClickedLink('ranges', times);
  assert.deepEqual([await count('7d'), await count('30d'), await count('all')], [1, 3, 4]);
});

test('hourly buckets and hourly sums begin at whole hours', async () => {
  const edge = midnight(2);
  const { read, companyId } = await createClickedLink('hours', [edge - 60_000, edge + 60_000]);
  await addUpClicks(app.ctx.db, companyId, { slugKey: 'hours', clicksMax: 10 });
  const hours = await app.ctx.db.query<{ hour: Date }>(
    `select hour from click_hour where company_id = $1 order by hour`,
    [companyId],
  );
  assert.deepEqual(
    hours.map(({ hour }) => hour.getTime()),
    [edge - HOUR_MS, edge],
  );
  assert.deepEqual(
    (await read('7d')).buckets.map(({ people }) => people),
    [0, 0, 0, 1, 1, 0, 0],
  );
  for (const { at } of (await read('24h')).buckets) assert.equal(at.getTime() % HOUR_MS, 0);
});
