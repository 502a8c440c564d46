/** The operator's commands about broadcasts, and the broadcasts of the demo company. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditIn } from '../../src/billing/invariant-store.ts';
import { fillDemoBroadcasts } from '../../src/broadcasts/demo/fill-demo-broadcasts.ts';
import { storeCounts } from '../../src/broadcasts/results/count-progress.ts';
import { readBroadcastKey } from '../../src/broadcasts/run/broadcast-key.ts';
import { addUnsubscribed } from '../../src/broadcasts/unsubscribe/unsubscribed-store.ts';
import { runCommand } from '../../src/cli/run-command.ts';
import type { BroadcastId } from '../../src/ids.ts';
import { postPastEntries } from '../../src/installation/demo-money-store.ts';
import type { Phone } from '../../src/phone.ts';
import { useService } from '../harness.ts';
import { createTerminal } from '../terminal.ts';
import { createBroadcastRig } from './broadcast-rig.ts';
import { seedRun } from './seed-run.ts';

const service = useService();
const { environment, run } = createTerminal(service);

test('broadcast list shows the broadcasts of a company, the newest first', async (t) => {
  const key = await service.key();
  const first = await seedRun(service.sql, key, [{ state: 'sent' }, {}], {
    state: 'running',
    startedSecondsAgo: 7_200,
  });
  const second = await seedRun(service.sql, key, [{ state: 'failed' }]);
  const other = await service.key();
  await seedRun(service.sql, other, [{}]);
  const { json } = JSON.parse(
    `{"json":${(await run(t, `broadcast list --company ${key.companyId} --json`)).out}}`,
  );
  assert.deepEqual(
    json.broadcasts.map(({ id, state, recipients }: Record<string, unknown>) => [
      id,
      state,
      recipients,
    ]),
    [
      [second.id, 'done', 1],
      [first.id, 'running', 2],
    ],
  );
  const { out } = await run(t, `broadcast list --company ${key.companyId}`, {
    LANG: 'ru_RU.UTF-8',
  });
  assert.match(out.split('\n')[0] ?? '', /завершена {2}0 из 1 {2}.*Скидки недели$/);
  const empty = await service.company();
  assert.deepEqual((await run(t, `broadcast list --company ${empty}`)).out, 'No broadcasts yet.');
  assert.equal((await run(t, 'broadcast list --company 99999')).code, 1);
});

test('broadcast show counts the recipients itself when no server does', async (t) => {
  const key = await service.key();
  const recipients = [
    { state: 'sent', receipt: 'read', channel: 'telegram', charged: 3 },
    { state: 'failed' },
    {},
    {},
  ] as const;
  const { id } = await seedRun(service.sql, key, recipients, { state: 'paused' });
  const { out, code } = await run(t, `broadcast show ${id}`);
  assert.equal(code, 0);
  assert.deepEqual(out.split('\n'), [
    'Скидки недели',
    `company ${key.companyId} Тест`,
    '[###############...............]  50 %  2 of 4  paused: by a person',
    'waiting 2, sending 0, accepted 0, delivered 0, read 1, failed 1, unknown 0, skipped 0',
    '3 ₸ charged, 0 ₸ reserved',
    '0 opened their link, 0 unsubscribed',
  ]);
  for (const unknown of ['none', '0198c0de-5f10-7a3b-8c11-0123456789ab']) {
    const refused = await run(t, `broadcast show ${unknown}`);
    assert.deepEqual([refused.code, refused.err], [1, `There is no broadcast ${unknown}.`]);
  }
});

test('broadcast show counts receipts that came after the end, for two weeks', async (t) => {
  const key = await service.key();
  const { id } = await seedRun(service.sql, key, [
    { state: 'sent', receipt: 'read', channel: 'telegram' },
  ]);
  await storeCounts(service.ctx.db, id);
  const age = (end: string) =>
    service.sql(
      `update broadcast set counts = jsonb_set(counts::jsonb, '{outcomes,read}', '0'),
         counted_at = clock_timestamp() - interval '1 minute', ended_at = clock_timestamp() - $2::interval
       where id = $1`,
      [id, end],
    );
  await age('13 days');
  assert.match((await run(t, `broadcast show ${id}`)).out, / read 1,/);
  await age('15 days');
  assert.match((await run(t, `broadcast show ${id}`)).out, / read 0,/);
});

test('broadcast show --watch does not wait for a draft', async (t) => {
  const key = await service.key();
  const rig = createBroadcastRig(() => service.ctx, service.sql);
  const id = await rig.draft(key.companyId, ['+77010000004']);
  await service.sql(
    `insert into broadcast_row (broadcast_id, number, company_id, cells, verdict) values ($1, 2, $2, '{x}', 'invalid')`,
    [id, key.companyId],
  );
  await service.sql('update broadcast set rows_count = 2 where id = $1', [id]);
  const shown = await run(t, `broadcast show ${id} --watch`);
  assert.equal(shown.code, 0);
  assert.match(shown.out, / 0 of 1 /, 'those who would get it, as in the cabinet');
});

test('broadcast show --watch prints each change and ends with the broadcast', async (t) => {
  const key = await service.key();
  const { id, messageIds } = await seedRun(service.sql, key, [{ state: 'sending' }, {}], {
    state: 'running',
  });
  // The broadcast ends when the first line has been printed.
  let ending: Promise<unknown> | undefined;
  const end = async () => {
    await service.sql(
      `update message set state = 'sent', settled_at = clock_timestamp() where id = $1`,
      [messageIds[0]],
    );
    await service.sql(
      `update broadcast_row set skipped = 'cancelled' where broadcast_id = $1 and message_id is null`,
      [id],
    );
    await service.sql(
      `update broadcast set state = 'cancelled', ended_at = clock_timestamp() where id = $1`,
      [id],
    );
  };
  const seen: string[] = [];
  const log = t.mock.method(console, 'log', (line: string) => {
    seen.push(...line.split('\n'));
    ending ??= end();
  });
  const code = await runCommand(['broadcast', 'show', id, '--watch'], environment());
  log.mock.restore();
  await ending;
  assert.equal(code, 0);
  assert.deepEqual(seen.slice(0, 1), ['[###############...............]  50 %  1 of 2  running']);
  assert.match(seen.at(-4) ?? '', /100 % {2}2 of 2 {2}cancelled$/);
  assert.match(seen.at(-3) ?? '', /^waiting 0, sending 0, accepted 1, .* skipped 1$/);
});

test('the operator stops one broadcast or all, and nobody else lets them go on', async (t) => {
  const key = await service.key();
  const rig = createBroadcastRig(() => service.ctx, service.sql);
  const inAnHour = new Date(Date.now() + 3_600_000);
  const running = await rig.draft(key.companyId, ['+77010000001']);
  await rig.start(running);
  await rig.tick(running);
  const later = await rig.draft(key.companyId, ['+77010000002'], { startAt: inAnHour });
  await rig.start(later);
  const { id: done } = await seedRun(service.sql, key, [{ state: 'sent' }], { state: 'done' });
  const stateOf = async (id: string) => {
    const { state, pause_reason: reason } = await rig.read(id as BroadcastId);
    return reason === null ? state : `${state}: ${reason}`;
  };

  const one = await run(t, `broadcast pause ${running}`);
  assert.equal(one.out, `Broadcast ${running} is paused until you resume it.`);
  assert.equal((await run(t, `broadcast pause ${running}`)).code, 1);
  assert.equal((await run(t, `broadcast pause ${done}`)).code, 1);
  const all = await run(t, 'broadcast pause all --json');
  const { paused } = JSON.parse(all.out) as { paused: string[] };
  const ours: string[] = [running, later, done];
  assert.deepEqual(
    paused.filter((id) => ours.includes(id)),
    [later],
  );
  assert.deepEqual(
    [await stateOf(running), await stateOf(later), await stateOf(done)],
    ['paused: operator', 'paused: operator', 'done'],
  );

  await assert.rejects(rig.resume(running), { code: 'paused_by_operator' });
  await assert.rejects(rig.pause(running), { code: 'paused_by_operator' });
  assert.equal(await stateOf(running), 'paused: operator');

  // A cancellation that was cut off half-way changes nothing of that.
  await service.sql(
    'alter table broadcast_row add constraint cut_off check (skipped is null) not valid',
  );
  await assert.rejects(rig.cancel(running), /cut_off/);
  await service.sql('alter table broadcast_row drop constraint cut_off');
  assert.equal(await stateOf(running), 'paused: operator');

  await run(t, `broadcast resume ${running}`);
  await run(t, `broadcast resume ${later}`);
  assert.deepEqual([await stateOf(running), await stateOf(later)], ['running', 'scheduled']);
  assert.equal((await run(t, `broadcast resume ${later}`)).code, 1);
  const audited = await service.sql<{ action: string; person_name: string | null }>(
    `select action, person_name from audit_record where company_id = $1 and action ~ 'paused|resumed' order by id`,
    [key.companyId],
  );
  assert.deepEqual(
    audited.map(({ action, person_name: name }) => [action, name]),
    [
      ['broadcast.paused', null],
      ['broadcast.paused', null],
      ['broadcast.resumed', null],
      ['broadcast.resumed', null],
    ],
  );
  await rig.cancel(running);
  await rig.cancel(later);
});

test('the operator keeps a phone from all broadcasts, and cannot take back what a person asked for', async (t) => {
  const sources = async () =>
    (
      await service.sql<{ source: string }>(
        'select source from unsubscribed where phone = 77010000003 and company_id is null',
      )
    ).map(({ source }) => source);
  const done = async (args: string) => (await run(t, `unsubscribed ${args}`)).code;

  assert.equal(await done('add 8(701)000-00-03'), 0);
  assert.deepEqual(await sources(), ['operator']);
  assert.equal(await done('add +77010000003'), 1, 'it is there');
  assert.equal(await done('remove +77010000003'), 0);
  assert.equal(await done('remove +77010000003'), 1, 'it is gone');
  assert.equal(await done('add 12'), 2);

  await done('add +77010000003');
  const phone = '77010000003' as Phone;
  await addUnsubscribed(service.ctx.db, { phone, companyId: null, source: 'word' });
  assert.deepEqual(await sources(), ['word']);
  assert.equal(await done('remove +77010000003'), 1);
  assert.deepEqual(await sources(), ['word']);
});

test('the broadcasts of the demo add up, with clicks, failures and an unsubscription', async () => {
  const companyId = await service.company(5_000);
  const { id: keyId } = await readBroadcastKey(service.ctx, companyId);
  await service.ctx.db.transaction(async (tx) => {
    const charges = await fillDemoBroadcasts(service.ctx, tx, { companyId, keyId, lang: 'ru' });
    await postPastEntries(
      tx,
      companyId,
      charges.map((charge) => ({ ...charge, kind: 'charge', amount: -charge.amount })),
    );
  });
  const broadcasts = await service.sql<{
    name: string;
    state: string;
    counts: Record<string, unknown>;
  }>('select name, state, counts from broadcast where company_id = $1 order by id', [companyId]);
  const figures = broadcasts.map(({ name, state, counts }) => ({
    name,
    state,
    ...(counts && {
      recipients: counts.recipients,
      outcomes: counts.outcomes,
      clicked: counts.clicked,
      unsubscribed: counts.unsubscribed,
      charged: counts.charged,
    }),
  }));
  assert.deepEqual(figures, [
    {
      name: 'Осенняя распродажа',
      state: 'done',
      recipients: 46,
      outcomes: {
        waiting: 0,
        sending: 0,
        sent: 1,
        delivered: 26,
        read: 14,
        failed: 3,
        unknown: 1,
        skipped: 1,
      },
      clicked: 11,
      unsubscribed: 1,
      charged: 19 * 8 + 22 * 3,
    },
    {
      name: 'Новый магазин на Абая',
      state: 'done',
      recipients: 24,
      outcomes: {
        waiting: 0,
        sending: 0,
        sent: 1,
        delivered: 21,
        read: 0,
        failed: 2,
        unknown: 0,
        skipped: 0,
      },
      clicked: 4,
      unsubscribed: 0,
      charged: 22 * 8,
    },
    { name: 'Поздравление с Днём Независимости', state: 'draft' },
  ]);
  const { violations } = await auditIn(service.ctx.db);
  assert.deepEqual(
    Object.entries(violations).filter(([, count]) => count > 0),
    [],
  );
});
