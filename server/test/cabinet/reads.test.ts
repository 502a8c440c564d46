import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';
import { insertPastMessages } from './past-messages.ts';

const service = useService();
const cabinet = createCabinetClient(service);

test('exports, the overview and later pages may be old; a first page never is', async () => {
  const { ctx } = service;
  const key = await service.key();
  await insertPastMessages(service.sql, { ...key, count: 60, fromHours: 2 });
  const { cookie } = await cabinet.person({ companyId: key.companyId, role: 'owner' });
  let count = 0;
  ctx.reads = {
    query(...args) {
      count += 1;
      return ctx.db.query(...args);
    },
  };
  const isReadFrom = async (url: string) => {
    count = 0;
    const answer = await service.http.inject({ url: `/cabinet/${url}`, headers: { cookie } });
    assert.equal(answer.statusCode, 200, url);
    return { isOld: count > 0, answer };
  };
  for (const list of ['messages', 'requests']) {
    const first = await isReadFrom(list);
    assert.equal(first.isOld, false, list);
    const { next } = first.answer.json();
    assert.equal((await isReadFrom(`${list}?cursor=${next}`)).isOld, true, list);
  }
  assert.equal((await isReadFrom('messages/export?format=csv')).isOld, true);
  assert.equal((await isReadFrom('overview')).isOld, true);
  assert.equal((await isReadFrom('balance')).isOld, false);
});
