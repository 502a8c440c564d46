/** Incidents: drafts, what everybody may see, and what operators say over time. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ADMIN_AUDIT_ENDPOINTS as A } from '@zhiber/contract/admin/audit.ts';
import { ADMIN_INCIDENTS_ENDPOINTS as I } from '@zhiber/contract/admin/incidents.ts';
import { listPublicIncidents } from '../../src/status/incidents.ts';
import { runConcurrently, useService } from '../harness.ts';
import { createAdminClient } from './admin-client.ts';

const service = useService();
const { as, operator } = createAdminClient(service);

const BODY = {
  title: { ru: 'SMS доходят с задержкой', kk: 'SMS кешігіп жетеді', en: 'SMS are late' },
  impact: 'major' as const,
  components: ['sms' as const],
  state: 'investigating' as const,
  text: { ru: 'Выясняем причину' },
};
const publicIds = async (since = new Date(0)) =>
  (await listPublicIncidents(service.ctx, since)).map(({ incident }) => incident.id);

describe('an incident', () => {
  test('is a draft until somebody publishes it, and nobody else sees a draft', async () => {
    const who = await operator();
    const { id } = (await as(who).call(I.createIncident, { body: BODY })).ok();
    assert.deepEqual(await publicIds(), []);
    const read = async () => (await as(who).call(I.incident, { params: { incident_id: id } })).ok();
    const { incident, updates } = await read();
    assert.partialDeepStrictEqual(incident, {
      id,
      title: BODY.title,
      impact: 'major',
      components: ['sms'],
      state: 'investigating',
      published_at: null,
      resolved_at: null,
    });
    assert.partialDeepStrictEqual(updates, [
      { number: 1, state: 'investigating', text: { ru: 'Выясняем причину', kk: null, en: null } },
    ]);
    const publish = () => as(who).call(I.publishIncident, { params: { incident_id: id } });
    assert.equal((await publish()).ok().is_changed, true);
    assert.equal((await publish()).ok().is_changed, false);
    assert.deepEqual(await publicIds(), [id]);
    assert.notEqual((await read()).incident.published_at, null);
  });

  test('moves through its states, is resolved once, and can be reopened', async () => {
    const who = await operator();
    const { id } = (await as(who).call(I.createIncident, { body: BODY })).ok();
    const params = { incident_id: id };
    const say = async (state: typeof BODY.state | 'identified' | 'watching' | 'resolved') => {
      const body = { state, text: { ru: `Теперь ${state}` } };
      return (await as(who).call(I.updateIncident, { params, body })).ok().number;
    };
    const read = async () => (await as(who).call(I.incident, { params })).ok();
    assert.deepEqual([await say('identified'), await say('watching')], [2, 3]);
    assert.equal(await say('resolved'), 4);
    const { incident: resolved } = await read();
    assert.equal(resolved.state, 'resolved');
    assert.notEqual(resolved.resolved_at, null);
    // A report written afterwards does not move the end.
    assert.equal(await say('resolved'), 5);
    assert.equal((await read()).incident.resolved_at, resolved.resolved_at);
    assert.equal(await say('investigating'), 6);
    const { incident, updates } = await read();
    assert.deepEqual([incident.state, incident.resolved_at], ['investigating', null]);
    assert.deepEqual(
      updates.map(({ number, state }) => `${number} ${state}`),
      [
        '6 investigating',
        '5 resolved',
        '4 resolved',
        '3 watching',
        '2 identified',
        '1 investigating',
      ],
    );
    const [named] = await service.sql<{ name: string }>('select name from person where id = $1', [
      who.personId,
    ]);
    assert.equal(updates[0]?.written_by, named?.name);
  });

  test('that was resolved before a time is not in the public list of that time', async () => {
    const who = await operator();
    const { id } = (await as(who).call(I.createIncident, { body: BODY })).ok();
    const params = { incident_id: id };
    (await as(who).call(I.publishIncident, { params })).ok();
    const later = new Date(Date.now() + 60_000);
    assert((await publicIds(later)).includes(id), 'an open incident is always in it');
    const body = { state: 'resolved' as const, text: { ru: 'Работает' } };
    (await as(who).call(I.updateIncident, { params, body })).ok();
    assert(!(await publicIds(later)).includes(id));
    assert((await publicIds()).includes(id));
  });

  test('numbers what two operators say at once without a gap', async () => {
    const who = await operator();
    const { id } = (await as(who).call(I.createIncident, { body: BODY })).ok();
    const body = { state: 'watching' as const, text: { ru: 'Наблюдаем' } };
    const numbers = await runConcurrently(8, async () => {
      const params = { incident_id: id };
      return (await as(who).call(I.updateIncident, { params, body })).ok().number;
    });
    assert.deepEqual(
      numbers.toSorted((a, b) => a - b),
      [2, 3, 4, 5, 6, 7, 8, 9],
    );
  });

  test('is changed with a record of before and after, and only when something differs', async () => {
    const who = await operator();
    const { id } = (await as(who).call(I.createIncident, { body: BODY })).ok();
    const params = { incident_id: id };
    const { state: _state, text: _text, ...facts } = BODY;
    const change = async (body: typeof facts) =>
      (await as(who).call(I.changeIncident, { params, body })).ok().is_changed;
    assert.equal(await change(facts), false);
    assert.equal(await change({ ...facts, title: { ...facts.title, ru: 'Другое имя' } }), true);
    const [act] = (await as(who).call(A.audit, { query: { action: 'incident.changed' } })).ok()
      .rows;
    assert.partialDeepStrictEqual(act, {
      object: 'Другое имя',
      before: { title: { ru: 'SMS доходят с задержкой' } },
      after: { title: { ru: 'Другое имя' } },
    });
  });

  test('is discarded as a draft, and stays once it was public', async () => {
    const who = await operator();
    const create = async () => (await as(who).call(I.createIncident, { body: BODY })).ok().id;
    const discard = async (incident_id: number) =>
      (await as(who).call(I.discardIncident, { params: { incident_id } })).ok().is_changed;
    const [draft, published] = [await create(), await create()];
    (await as(who).call(I.publishIncident, { params: { incident_id: published } })).ok();
    assert.deepEqual([await discard(draft), await discard(draft)], [true, false]);
    assert.equal(await discard(published), false);
    (await as(who).call(I.incident, { params: { incident_id: draft } })).refused('not_found');
    (await as(who).call(I.incident, { params: { incident_id: published } })).ok();
    const kept = await service.sql('select from incident_update where incident_id = $1', [draft]);
    assert.equal(kept.length, 0);
  });
});

describe('maintenance', () => {
  const PLANNED = {
    ...BODY,
    state: 'identified' as const,
    planned_from: '2026-12-01T19:00:00.000Z',
    planned_until: '2026-12-01T21:00:00.000Z',
  };

  test('is announced with its times, which can be moved', async () => {
    const who = await operator();
    const { id } = (await as(who).call(I.createIncident, { body: PLANNED })).ok();
    const params = { incident_id: id };
    const timesOf = async () => {
      const { incident } = (await as(who).call(I.incident, { params })).ok();
      return [incident.planned_from, incident.planned_until];
    };
    assert.deepEqual(await timesOf(), [PLANNED.planned_from, PLANNED.planned_until]);
    const { state: _state, text: _text, ...facts } = PLANNED;
    const change = async (body: object) =>
      await as(who).call(I.changeIncident, { params, body: body as typeof facts });
    assert.equal((await change(facts)).ok().is_changed, false);
    const later = { ...facts, planned_until: '2026-12-01T23:00:00.000Z' };
    assert.equal((await change(later)).ok().is_changed, true);
    assert.deepEqual(await timesOf(), [PLANNED.planned_from, later.planned_until]);
    const [act] = (await as(who).call(A.audit, { query: { action: 'incident.changed' } })).ok()
      .rows;
    assert.partialDeepStrictEqual(act, {
      before: { planned_until: PLANNED.planned_until },
      after: { planned_until: later.planned_until },
    });
    // It does not become an incident, nor the other way round.
    const { planned_from: _from, planned_until: _until, ...unplanned } = facts;
    (await change(unplanned)).refused('validation_error');
  });

  test('needs both times, the end after the start', async () => {
    const who = await operator();
    const refused = async (body: object) =>
      (await as(who).call(I.createIncident, { body: body as never })).refused('validation_error');
    const { planned_from: _from, ...endOnly } = PLANNED;
    const { planned_until: _until, ...startOnly } = PLANNED;
    await refused(endOnly);
    await refused(startOnly);
    await refused({ ...PLANNED, planned_until: PLANNED.planned_from });
    await refused({ ...PLANNED, planned_from: 'tomorrow' });
  });
});

describe('hostile requests', () => {
  const REFUSED: Record<string, object> = {
    'without a Russian title': { ...BODY, title: { kk: 'Тақырып' } },
    'with a title of spaces': { ...BODY, title: { ru: '   ' } },
    'with a title of two lines': { ...BODY, title: { ru: 'один\nдва' } },
    'without a component': { ...BODY, components: [] },
    'with a component twice': { ...BODY, components: ['sms', 'sms'] },
    'with an unknown component': { ...BODY, components: ['moon'] },
    'with an unknown state': { ...BODY, state: 'forgotten' },
    'with a text that is too long': { ...BODY, text: { ru: 'я'.repeat(2_001) } },
    'with an empty translation': { ...BODY, text: { ru: 'Да', en: '' } },
  };
  for (const [name, body] of Object.entries(REFUSED)) {
    test(`${name} is refused`, async () => {
      const who = await operator();
      (await as(who).call(I.createIncident, { body: body as never })).refused('validation_error');
    });
  }

  test('an incident that does not exist, or an id that is none', async () => {
    const who = await operator();
    for (const incident_id of ['999999', '0', '-1', 'x', '99999999999999999999', "1'--"]) {
      const params = { incident_id };
      (await as(who).call(I.incident, { params })).refused('not_found');
      (await as(who).call(I.publishIncident, { params })).refused('not_found');
    }
    const bad = await as(who).call(I.incidents, { query: { cursor: '1 or 1=1' } });
    bad.refused('validation_error');
  });
});

test('incidents are listed newest first, in pages of fifty', async () => {
  const who = await operator();
  await service.sql(
    `insert into incident (title_ru, impact, components, state, started_at)
     select 'Номер ' || n, 'minor', '{api}', 'investigating', clock_timestamp() from generate_series(1, 60) n`,
  );
  const first = (await as(who).call(I.incidents)).ok();
  const cursor = first.next as string;
  const second = (await as(who).call(I.incidents, { query: { cursor } })).ok();
  assert.equal(first.rows.length, 50);
  const ids = [...first.rows, ...second.rows].map(({ id }) => id);
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => b - a),
  );
  assert.equal(new Set(ids).size, ids.length);
});
