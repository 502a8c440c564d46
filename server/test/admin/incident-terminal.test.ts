/** Incidents from the command line, on the database of a running service. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listPublicIncidents, readIncident } from '../../src/status/incidents.ts';
import { useService } from '../harness.ts';
import { createTerminal } from '../terminal.ts';

const service = useService();
const { run, runJson } = createTerminal(service);

const OPEN = ['incident', 'open', '--title', 'SMS с задержкой', '--text', 'Выясняем'];

test('an incident is opened as a draft, published, updated and resolved', async (t) => {
  const opened = await runJson(t, [...OPEN, '--components', 'sms,api', '--title-en', 'SMS late']);
  const id = opened.json.id as number;
  assert.deepEqual(opened, { code: 0, json: { id, published: false } });
  const publicIds = async () =>
    (await listPublicIncidents(service.ctx, new Date(0))).map(({ incident }) => incident.id);
  assert.deepEqual(await publicIds(), []);
  assert.equal((await runJson(t, ['incident', 'publish', String(id)])).code, 0);
  assert.deepEqual(await publicIds(), [id]);
  assert.equal((await run(t, ['incident', 'publish', String(id)])).code, 1);

  const text = ['--text', 'Причина найдена\nждём провайдера', '--text-kk', 'Себебі табылды'];
  const updated = await runJson(t, [
    'incident',
    'update',
    String(id),
    ...text,
    '--state',
    'identified',
  ]);
  assert.deepEqual(updated.json, { id, state: 'identified', number: 2 });
  // Without a state it stays as it is.
  const same = await runJson(t, ['incident', 'update', String(id), '--text', 'Ждём']);
  assert.deepEqual(same.json, { id, state: 'identified', number: 3 });
  await runJson(t, ['incident', 'resolve', String(id), '--text', 'Работает']);
  // A report afterwards.
  await runJson(t, ['incident', 'resolve', String(id), '--text', 'Разбор']);
  const { incident, updates } = await readIncident(service.ctx, id);
  assert.partialDeepStrictEqual(incident, {
    title: { ru: 'SMS с задержкой', kk: null, en: 'SMS late' },
    impact: 'minor',
    components: ['sms', 'api'],
    state: 'resolved',
    planned: null,
  });
  assert.deepEqual(
    updates.map(({ text: { ru } }) => ru),
    ['Разбор', 'Работает', 'Ждём', 'Причина найдена\nждём провайдера', 'Выясняем'],
  );
  const [act] = await service.sql<{ action: string; person_id: null }>(
    'select action, person_id from operator_audit order by id limit 1',
  );
  assert.deepEqual(act, { action: 'incident.created', person_id: null });
});

test('maintenance is planned in Almaty time and published at once', async (t) => {
  const planned = await runJson(t, [
    ...['incident', 'maintenance', '--title', 'Обновление', '--text', 'Обновляем базу'],
    ...[
      '--components',
      'api',
      '--from',
      '2026-12-01 23:30',
      '--until',
      '2026-12-02 01:00',
      '--publish',
    ],
  ]);
  assert.equal(planned.code, 0);
  const { incident } = await readIncident(service.ctx, planned.json.id as number);
  assert.deepEqual(incident.planned, {
    from: new Date('2026-12-01T18:30:00.000Z'),
    until: new Date('2026-12-01T20:00:00.000Z'),
  });
  assert.notEqual(incident.publishedAt, null);
  const { out } = await run(t, ['incident', 'list']);
  assert.match(
    out,
    /identified {2}maintenance from 2026-12-01 23:30:00 until 2026-12-02 01:00:00 {2}api {2}Обновление/,
  );
  const { json } = await runJson(t, ['incident', 'list']);
  assert.partialDeepStrictEqual((json.incidents as object[])[0], {
    planned_from: '2026-12-01T18:30:00.000Z',
    planned_until: '2026-12-01T20:00:00.000Z',
  });
});

test('wrong calls change nothing and say what is wrong', async (t) => {
  const EXPECTED: [string[], number, RegExp][] = [
    [OPEN, 2, /--components is missing/],
    [[...OPEN, '--components', 'moon'], 2, /should be one of api/],
    [[...OPEN, '--components', 'sms,sms'], 2, /names sms twice/],
    [[...OPEN, '--components', 'sms', '--impact', 'huge'], 2, /should be one of minor/],
    [['incident', 'open', '--components', 'sms', '--title', 'Да'], 2, /--text is missing/],
    [['incident', 'update', '999999', '--text', 'Да'], 1, /no incident 999999/],
    [['incident', 'publish', '999999'], 1, /no incident 999999/],
    [['incident', 'resolve', 'x', '--text', 'Да'], 2, /whole number/],
    [
      [
        ...['incident', 'maintenance', '--title', 'Да', '--text', 'Да', '--components', 'api'],
        ...['--from', '2026-12-02', '--until', '2026-12-01'],
      ],
      2,
      /--until should be later/,
    ],
  ];
  const count = async () => (await service.sql('select from incident')).length;
  const before = await count();
  for (const [args, code, message] of EXPECTED) {
    const result = await run(t, [...args]);
    assert.equal(result.code, code, args.join(' '));
    assert.match(result.err, message);
  }
  assert.equal(await count(), before);
});
