/** What a send shows of the chat it goes to, before any update has told of it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { codeMessage, soon, whenReached } from './rig/messages.ts';
import { GROUP_ID, groupMessage, openBotRig } from './telegram-bot-rig.ts';

describe('a chat that the bot can no longer write to', () => {
  const PERSON = { kind: 'telegram_person_gone', chatId: '501' };
  const IN_GROUP = { kind: 'telegram_group_gone', chatId: GROUP_ID };
  const GONE = {
    blocked: [codeMessage(), PERSON],
    deactivated: [codeMessage(), PERSON],
    not_started: [codeMessage(), PERSON],
    chat_not_found: [codeMessage(), PERSON],
    kicked: [groupMessage(), IN_GROUP],
    kicked_from_supergroup: [groupMessage(), IN_GROUP],
    not_a_member: [groupMessage(), IN_GROUP],
    group_deleted: [groupMessage(), IN_GROUP],
  } as const;
  for (const [code, [message, contact]] of Object.entries(GONE)) {
    test(`is told once, when the answer is ${code}`, async (t) => {
      const { simulator, provider, told } = await openBotRig(t);
      simulator.plans.add({ does: 'refuse', code });
      assert.equal((await provider.send(message, soon())).result, 'refused');
      assert.deepEqual(told, [contact]);
    });
  }

  for (const code of ['no_rights', 'no_plain_text', 'too_long', 'flood', 'unauthorized']) {
    test(`is not taken for one when the answer is ${code}`, async (t) => {
      const { simulator, provider, told } = await openBotRig(t);
      simulator.plans.add({ does: 'refuse', code });
      assert.notEqual((await provider.send(groupMessage(), soon())).result, 'accepted');
      assert.deepEqual(told, []);
    });
  }
});

describe('a group that has moved', () => {
  test('gets the message once, at its new address, and the move is told', async (t) => {
    const { simulator, provider, sent, told } = await openBotRig(t);
    simulator.plans.add({ does: 'refuse', code: 'migrate', times: 1 });
    const outcome = await provider.send(groupMessage(), soon());
    const newChatId = '-1000000004711';
    const [taken, ...others] = sent();
    assert.deepEqual(told, [{ kind: 'telegram_group_moved', chatId: GROUP_ID, newChatId }]);
    assert.deepEqual(outcome, { result: 'accepted', providerId: taken?.id });
    assert.equal(taken?.to, newChatId);
    assert.deepEqual(others, []);
  });

  test('is not followed a second time', async (t) => {
    const { simulator, provider, sent } = await openBotRig(t);
    simulator.plans.add({ does: 'refuse', code: 'migrate' });
    const outcome = await provider.send(groupMessage(), soon());
    assert.equal(outcome.result, 'refused');
    const refusals = simulator.journal.lines.filter(({ event }) => event === 'refused');
    assert.deepEqual([sent().length, refusals.length], [0, 2]);
  });

  test('leaves an unknown outcome when its new address does not answer', async (t) => {
    const { simulator, provider, sent, told } = await openBotRig(t);
    simulator.plans.add({ does: 'hang' });
    simulator.plans.add({ does: 'refuse', code: 'migrate', times: 1 });
    const outcome = await provider.send(groupMessage(), whenReached(simulator, 2));
    assert.deepEqual([outcome.result, sent().length, told.length], ['unknown', 1, 1]);
  });
});
