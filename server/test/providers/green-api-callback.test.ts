import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { openGreenApi } from '../../src/channels/whatsapp/green-api.ts';
import { systemClock } from '../../src/clock.ts';
import { INSTANCE, openGreenRig, SECRETS } from './green-api-rig.ts';
import { codeMessage, PHONE, soon } from './rig/messages.ts';

describe('notifications', () => {
  const notice = (changes: object = {}) => ({
    typeWebhook: 'outgoingMessageStatus',
    chatId: `${PHONE}@c.us`,
    instanceData: {
      idInstance: Number(INSTANCE),
      wid: '77000000000@c.us',
      typeInstance: 'whatsapp',
    },
    timestamp: 1_763_164_800,
    idMessage: '3EB0C767D097B7C7C030',
    status: 'delivered',
    sendByApi: true,
    ...changes,
  });
  const reader = (t: TestContext) => {
    const provider = openGreenApi({ ...SECRETS, instanceId: INSTANCE }, systemClock);
    t.after(() => provider.stop?.());
    return (
      body: unknown,
      authorization: string | undefined = `Bearer ${SECRETS.callbackToken}`,
      method: 'GET' | 'POST' = 'POST',
    ) =>
      provider.readCallback?.({
        method,
        headers: authorization === '' ? {} : { authorization },
        query: {},
        body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      });
  };
  const providerId = '3EB0C767D097B7C7C030';

  const STATUSES: Record<string, object[]> = {
    sent: [],
    delivered: [{ providerId, receipt: 'delivered' }],
    read: [{ providerId, receipt: 'read' }],
    failed: [{ providerId, receipt: 'failed', reason: 'WhatsApp не доставил сообщение' }],
    noAccount: [{ providerId, receipt: 'failed', reason: 'У этого номера нет WhatsApp' }],
    notInGroup: [{ providerId, receipt: 'failed', reason: 'Отправитель не состоит в этой группе' }],
    yellowCard: [
      { providerId, receipt: 'failed', reason: 'WhatsApp приостановил отправку с этого номера' },
    ],
    toString: [],
    teleported: [],
  };
  for (const [status, reports] of Object.entries(STATUSES)) {
    test(`${status}: ${reports.length === 0 ? 'nothing' : JSON.stringify(reports[0])}`, (t) => {
      assert.deepEqual(reader(t)(notice({ status })), { reports });
    });
  }

  const IGNORED: Record<string, unknown> = {
    'another kind': notice({ typeWebhook: 'incomingMessageReceived' }),
    'another instance': notice({ instanceData: { idInstance: 7 } }),
    'no instance': notice({ instanceData: null }),
    'a message that was typed on the phone': notice({ sendByApi: false }),
    'no id': notice({ idMessage: undefined }),
    'an id that is no text': notice({ idMessage: 7 }),
    'no JSON': '{',
    'an array': '[]',
    nothing: '',
  };
  for (const [name, body] of Object.entries(IGNORED)) {
    test(`${name}: nothing`, (t) => {
      assert.deepEqual(reader(t)(body), { reports: [] });
    });
  }

  test('the word may come alone or as a bearer', (t) => {
    const expected = { reports: [{ providerId, receipt: 'delivered' }] };
    assert.deepEqual(reader(t)(notice(), SECRETS.callbackToken), expected);
    assert.deepEqual(reader(t)(notice(), `bearer ${SECRETS.callbackToken}`), expected);
  });

  for (const brought of [
    '',
    'Bearer ',
    'Bearer another',
    `${SECRETS.callbackToken}x`,
    `Basic ${SECRETS.callbackToken}`,
  ]) {
    test(`«${brought.replace(SECRETS.callbackToken, '…')}» is not from it`, (t) => {
      assert.equal(reader(t)(notice(), brought), undefined);
    });
  }

  test('nothing is read by GET', (t) => {
    assert.equal(reader(t)(notice(), undefined, 'GET'), undefined);
  });

  test('over real sockets: receipts, tenfold and reversed, and a forged one', async (t) => {
    const { provider, simulator, desk } = await openGreenRig(t);
    simulator.plans.add({ does: 'accept', copies: 10, isReversed: true });
    const outcome = await provider.send(codeMessage(), soon());
    assert.ok(outcome.result === 'accepted');
    await simulator.settle();
    const id = outcome.providerId;
    assert.deepEqual(desk.reports(), [
      ...Array(10).fill({ providerId: id, receipt: 'read' }),
      ...Array(10).fill({ providerId: id, receipt: 'delivered' }),
    ]);
    assert.deepEqual(await simulator.report(id, 'failed', { isForged: true }), [403]);
    assert.equal(desk.reports().length, 20);
    await simulator.report(id, 'failed', { failure: 'noAccount' });
    assert.deepEqual(desk.reports().at(-1), {
      providerId: id,
      receipt: 'failed',
      reason: 'У этого номера нет WhatsApp',
    });
  });
});
