import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MESSAGE_ENDPOINTS as M } from '@zhiber/contract/cabinet/messages.ts';
import { runConcurrently, useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';

const service = useService();
const cabinet = createCabinetClient(service);
const filter = { range: 'today', state: ['failed'] } as const;

test('a saved view belongs to one person in one company', async () => {
  const owner = await cabinet.person({ role: 'owner' });
  const companyId = owner.companyId as NonNullable<typeof owner.companyId>;
  const colleague = await cabinet.person({ companyId, role: 'viewer' });
  const body = { name: ' Не доставлено ', filter: { ...filter, state: ['failed'], odd: 1 } };
  const { id } = (await cabinet.as(owner).call(M.saveView, { body })).ok();
  const { views } = (await cabinet.as(owner).call(M.views)).ok();
  assert.deepEqual(views, [{ id, name: 'Не доставлено', filter }]);
  assert.deepEqual((await cabinet.as(colleague).call(M.views)).ok().views, []);
  (await cabinet.as(colleague).call(M.deleteView, { params: { id } })).refused('not_found');
  for (const odd of ['x', '-1', '9'.repeat(30)]) {
    (await cabinet.as(owner).call(M.deleteView, { params: { id: odd } })).refused('not_found');
  }
  (await cabinet.as(owner).call(M.deleteView, { params: { id } })).ok();
  assert.deepEqual((await cabinet.as(owner).call(M.views)).ok().views, []);
});

test('concurrent saves with the same name create one view', async () => {
  const owner = await cabinet.person({ role: 'owner' });
  const answers = await runConcurrently(5, () =>
    cabinet.as(owner).call(M.saveView, { body: { name: 'Моё', filter: {} } }),
  );
  const saved = answers.filter(({ status }) => status === 200);
  assert.equal(saved.length, 1);
  for (const answer of answers) if (answer.status !== 200) answer.refused('name_taken');
});

test('a person can save at most fifty views', async () => {
  const owner = await cabinet.person({ role: 'owner' });
  await service.sql(
    `insert into message_view (company_id, person_id, name, filter)
     select $1, $2, 'вид ' || n, '{}' from generate_series(1, 50) as n`,
    [owner.companyId, owner.personId],
  );
  const body = { name: 'ещё', filter: {} };
  (await cabinet.as(owner).call(M.saveView, { body })).refused('too_many');
});

test('a view with an invalid filter is refused', async () => {
  const owner = await cabinet.person({ role: 'owner' });
  const body = { name: 'x', filter: { state: ['lost'] } };
  (await cabinet.as(owner).call(M.saveView, { body })).refused('validation_error');
});
