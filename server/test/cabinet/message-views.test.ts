import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MESSAGE_ENDPOINTS as M } from '@zhiber/contract/cabinet/messages.ts';
import { together, useService } from '../harness.ts';
import { signedIn } from './signed-in.ts';

const service = useService();
const cabinet = signedIn(service);
const filter = { range: 'today', state: ['failed'] } as const;

test('a view belongs to the person who named it, in the company it was made in', async () => {
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

test('a name is taken once, also by two at a time', async () => {
  const owner = await cabinet.person({ role: 'owner' });
  const answers = await together(5, () =>
    cabinet.as(owner).call(M.saveView, { body: { name: 'Моё', filter: {} } }),
  );
  const good = answers.filter(({ status }) => status === 200);
  assert.equal(good.length, 1);
  for (const answer of answers) if (answer.status !== 200) answer.refused('name_taken');
});

test('nobody has more than fifty', async () => {
  const owner = await cabinet.person({ role: 'owner' });
  await service.sql(
    `insert into message_view (company_id, person_id, name, filter)
     select $1, $2, 'вид ' || n, '{}' from generate_series(1, 50) as n`,
    [owner.companyId, owner.personId],
  );
  const body = { name: 'ещё', filter: {} };
  (await cabinet.as(owner).call(M.saveView, { body })).refused('too_many');
});

test('a filter of words that do not exist is not kept', async () => {
  const owner = await cabinet.person({ role: 'owner' });
  const body = { name: 'x', filter: { state: ['lost'] } };
  (await cabinet.as(owner).call(M.saveView, { body })).refused('validation_error');
});
