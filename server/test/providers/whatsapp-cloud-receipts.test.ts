import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeMessage, PHONE, soon } from './rig/messages.ts';
import { openCloudRig } from './whatsapp-cloud-rig.ts';

test('the callback address can be entered with the right word alone', async (t) => {
  const right = await openCloudRig(t);
  assert.equal(await right.simulator.subscribe(), true);
  const wrong = await openCloudRig(t, { simulator: { verifyToken: 'another' } });
  assert.equal(await wrong.simulator.subscribe(), false);
});

test('the receipts of a message come by our reference', async (t) => {
  const { provider, simulator, desk } = await openCloudRig(t);
  simulator.plans.add({ does: 'accept', receipts: ['sent', 'delivered', 'read'] });
  const message = codeMessage();
  await provider.send(message, soon());
  await simulator.settle();
  assert.deepEqual(desk.reports(), [
    { ref: message.ref, receipt: 'delivered' },
    { ref: message.ref, receipt: 'read' },
  ]);
});

test('reversed, tenfold, before the answer: all are read', async (t) => {
  const { provider, simulator, desk } = await openCloudRig(t);
  simulator.plans.add({ does: 'accept', isReversed: true, copies: 10, isEarly: true });
  const message = codeMessage();
  await provider.send(message, soon());
  assert.ok(desk.reports().length > 0, 'some were there before the answer');
  await simulator.settle();
  assert.deepEqual(
    desk.reports().map((report) => report.receipt),
    [...Array(10).fill('read'), ...Array(10).fill('delivered')],
  );
  assert.ok(desk.reports().every((report) => 'ref' in report));
});

test('a failure after the acceptance says why', async (t) => {
  const { provider, simulator, desk } = await openCloudRig(t);
  simulator.plans.add({ does: 'accept', receipts: ['failed'], failure: 131047 });
  const message = codeMessage();
  await provider.send(message, soon());
  await simulator.settle();
  assert.deepEqual(desk.reports(), [
    {
      ref: message.ref,
      receipt: 'failed',
      reason: 'Получатель не писал компании последние 24 часа',
    },
  ]);
});

test('a forged one is turned away', async (t) => {
  const { provider, simulator, desk } = await openCloudRig(t);
  simulator.plans.add({ does: 'accept', receipts: [] });
  const outcome = await provider.send(codeMessage(), soon());
  assert.ok(outcome.result === 'accepted');
  const forged = { isForged: true };
  assert.deepEqual(await simulator.report(outcome.providerId, 'read', forged), [403]);
  assert.deepEqual(desk.contents, []);
  assert.deepEqual(await simulator.report(outcome.providerId, 'read'), [200]);
  assert.equal(desk.reports().length, 1);
});

test('many in one call', async (t) => {
  const { provider, simulator, desk } = await openCloudRig(t);
  simulator.plans.add({ does: 'accept', receipts: [] });
  const messages = [codeMessage(), codeMessage(), codeMessage()];
  for (const message of messages) await provider.send(message, soon());
  const statuses = simulator.journal.taken().map(({ id }) => ({ id, receipt: 'read' }) as const);
  assert.equal(await simulator.reportTogether(statuses), 200);
  assert.equal(desk.contents.length, 1);
  assert.deepEqual(
    desk.reports(),
    messages.map((message) => ({ ref: message.ref, receipt: 'read' })),
  );
});

test('somebody who writes can be written to', async (t) => {
  const { provider, simulator, desk, open } = await openCloudRig(t);
  assert.equal(await provider.canReach?.({ phone: PHONE }, 'code_with_link'), false);
  assert.equal(await simulator.writeToBusiness(PHONE), 200);
  const [contact] = desk.contacts();
  assert.ok(contact?.kind === 'whatsapp_window');
  open.add(contact.phone);
  assert.equal(await provider.canReach?.({ phone: PHONE }, 'code_with_link'), true);
});
