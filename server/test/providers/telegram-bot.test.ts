import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTelegramBot, type TelegramBotSettings } from '../../src/channels/telegram/bot.ts';
import { systemClock } from '../../src/clock.ts';
import type { Phone } from '../../src/phone.ts';
import { testAnswers } from './rig/answers.ts';
import { testFaults } from './rig/faults.ts';
import { nobodysUrl } from './rig/local-server.ts';
import { codeMessage, PHONE, soon } from './rig/messages.ts';
import {
  AIGUL,
  GROUP,
  GROUP_ID,
  groupMessage,
  openBotRig,
  SECRET,
  TOKEN,
  WRONG_TOKEN,
} from './telegram-bot-rig.ts';

describe('a message', () => {
  const NO_PREVIEW = { link_preview_options: { is_disabled: true } };
  const link = 'https://s.example/aB3xY9';
  const WIRE = {
    code: [codeMessage(), '501', NO_PREVIEW],
    code_with_link: [codeMessage({ load: 'code_with_link', link }), '501', NO_PREVIEW],
    text: [codeMessage({ load: 'text', text: link, code: undefined }), '501', NO_PREVIEW],
    group: [groupMessage(), GROUP_ID, NO_PREVIEW],
  } as const;
  for (const [load, [message, to, details]] of Object.entries(WIRE)) {
    test(`of the kind ${load} is plain text without a preview`, async (t) => {
      const { provider, sent } = await openBotRig(t);
      const outcome = await provider.send(message, soon());
      const [taken] = sent();
      assert.deepEqual(outcome, { result: 'accepted', providerId: taken?.id });
      assert.partialDeepStrictEqual(taken, { to, text: message.text });
      assert.deepEqual(taken?.details, details);
    });
  }

  test('is named by its chat and its number there', async (t) => {
    const { provider } = await openBotRig(t);
    const first = await provider.send(codeMessage(), soon());
    const second = await provider.send(groupMessage(), soon());
    assert.match(JSON.stringify(first), /"501\/\d+"/);
    assert.match(JSON.stringify(second), /"-4711\/\d+"/);
  });

  test('goes only to people who have shown their phone, and to groups', async (t) => {
    const { provider, sent, simulator } = await openBotRig(t);
    const stranger = { phone: '77010000002' as Phone };
    assert.equal(await provider.canReach?.({ phone: PHONE }, 'code'), true);
    assert.equal(await provider.canReach?.(stranger, 'code'), false);
    assert.equal(await provider.canReach?.({ group: GROUP_ID }, 'group'), true);
    const lines = simulator.journal.lines.length;
    const outcome = await provider.send(codeMessage({ to: stranger }), soon());
    assert.equal(outcome.result, 'refused');
    assert.deepEqual([sent(), simulator.journal.lines.length], [[], lines]);
  });

  test('stays here while nobody can say which chat it goes to', async (t) => {
    const { provider, sent } = await openBotRig(t, {
      contacts: { findChat: () => Promise.reject(new Error('no rows')) },
    });
    assert.deepEqual(await provider.send(codeMessage(), soon()), {
      result: 'unavailable',
      reason: 'Не удалось узнать, подключён ли бот в Telegram',
    });
    assert.deepEqual(sent(), []);
  });
});

describe('an error of the Bot API', () => {
  const WRONG_TOKEN_SAID = ['unavailable', 'Telegram не признал бота'];
  const NO_RIGHTS = ['refused', 'У бота нет права писать в эту группу'];
  const EXPECTED: Record<string, string[]> = {
    blocked: ['refused', 'Получатель заблокировал бота'],
    deactivated: ['refused', 'Аккаунт получателя в Telegram удалён'],
    not_started: ['refused', 'Получатель ещё не начал диалог с ботом'],
    kicked: ['refused', 'Бота удалили из группы'],
    kicked_from_supergroup: ['refused', 'Бота удалили из группы'],
    not_a_member: ['refused', 'Бот не состоит в этой группе'],
    group_deleted: ['refused', 'Группа удалена'],
    chat_not_found: ['refused', 'Чат не найден'],
    no_rights: NO_RIGHTS,
    no_plain_text: NO_RIGHTS,
    too_long: ['refused', 'Сообщение слишком длинное для Telegram'],
    empty: ['refused', 'Пустое сообщение'],
    flood: ['refused', 'Слишком много сообщений Telegram этому получателю подряд'],
    unauthorized: WRONG_TOKEN_SAID,
    not_found: WRONG_TOKEN_SAID,
    'something new': ['refused', 'Telegram отклонил сообщение (400)'],
  };
  for (const [code, expected] of Object.entries(EXPECTED)) {
    test(`${code} is ${expected.join(': ')}`, async (t) => {
      const { simulator, provider, sent } = await openBotRig(t);
      simulator.plans.add({ does: 'refuse', code });
      const outcome = await provider.send(groupMessage(), soon());
      assert.deepEqual(outcome, { result: expected[0], reason: expected[1] });
      assert.deepEqual(sent(), []);
    });
  }

  test('comes from what truly happened, too', async (t) => {
    const { simulator, provider, sent } = await openBotRig(t);
    const reasonOf = async (message = groupMessage()) => {
      const outcome = await provider.send(message, soon());
      return outcome.result === 'accepted' ? outcome.result : outcome.reason;
    };
    const long = { ...groupMessage(), text: 'а'.repeat(4_097) };
    assert.equal(await reasonOf(long), 'Сообщение слишком длинное для Telegram');
    assert.equal(await reasonOf({ ...groupMessage(), text: ' ' }), 'Пустое сообщение');
    assert.equal(await reasonOf({ ...groupMessage(), to: { group: '-1' } }), 'Чат не найден');
    assert.equal(await reasonOf({ ...groupMessage(), to: { group: '@no_one' } }), 'Чат не найден');
    await simulator.removeBotFromGroup(GROUP.chatId);
    assert.equal(await reasonOf(), 'Бота удалили из группы');
    await simulator.block(AIGUL);
    assert.equal(await reasonOf(codeMessage()), 'Получатель заблокировал бота');
    assert.deepEqual(sent(), []);
    await simulator.start(AIGUL);
    assert.equal(await reasonOf(codeMessage()), 'accepted');
  });
});

testFaults(openBotRig, { 401: 'unknown', 404: 'unknown' });

describe('an answer that is nearly right', () => {
  const UNCLEAR = { result: 'unknown', reason: 'Telegram ответил непонятно' } as const;
  const NEARLY = [
    [200, { ok: true }],
    [200, { ok: true, result: true }],
    [200, { ok: true, result: {} }],
    [200, { ok: true, result: { message_id: 0 } }],
    [200, { ok: true, result: { message_id: '5' } }],
    [200, { ok: true, result: { message_id: 5.5 } }],
    [200, { result: { message_id: 5 } }],
    [200, { ok: false, error_code: 400, description: 'Bad Request: chat not found' }],
    [202, { ok: true, result: { message_id: 5 } }],
    [302, { ok: true, result: { message_id: 5 } }],
    [400, { ok: true, result: { message_id: 5 } }],
    [403, { description: 'Forbidden' }],
    [500, { ok: false, error_code: 500, description: 'Internal Server Error' }],
    [502, { ok: false, parameters: { migrate_to_chat_id: -1_000_000_000_001 } }],
  ] as const;
  testAnswers(
    NEARLY.map(([status, body]) => [status, body, UNCLEAR]),
    async (t, changes) => {
      const rig = await openBotRig(t, changes);
      t.after(() => assert.deepEqual(rig.told, []));
      return rig;
    },
  );
});

describe('a check', () => {
  test('of a bot whose updates arrive is good', async (t) => {
    const { provider, desk } = await openBotRig(t);
    const detail = `Updates of @zhiber_test_bot go to ${new URL(desk.url).host}.`;
    assert.deepEqual(await provider.check(soon()), { ok: true, detail });
  });

  test('tells of a webhook that is not set', async (t) => {
    const { simulator, provider } = await openBotRig(t);
    await fetch(`${simulator.url}/bot${TOKEN}/setWebhook?url=`);
    assert.deepEqual(await provider.check(soon()), {
      ok: false,
      detail: 'The token is that of @zhiber_test_bot, but its webhook is not set.',
    });
  });

  test('tells of updates that do not arrive, and remembers when they have', async (t) => {
    const { simulator, provider, desk } = await openBotRig(t);
    desk.failsWith = 503;
    await simulator.say(AIGUL, 'Здравствуйте');
    const failing = await provider.check(soon());
    assert.match(failing.detail, /the last failure was \d s ago: Wrong response.* 503\.$/);
    desk.failsWith = undefined;
    await simulator.repeatUpdates();
    const { ok, detail } = await provider.check(soon());
    assert.deepEqual([failing.ok, ok], [false, true]);
    assert.match(detail, /the last failure was \d s ago/);
  });

  test('of a wrong token, a malformed one, or of nobody fails', async (t) => {
    const checkOf = async (settings: Partial<TelegramBotSettings>) =>
      await (await openBotRig(t, { settings })).provider.check(soon());
    assert.deepEqual(await checkOf({ token: WRONG_TOKEN }), {
      ok: false,
      detail: 'Telegram answered with the HTTP status 401: Unauthorized.',
    });
    assert.deepEqual(await checkOf({ token: 'no token\nat all' }), {
      ok: false,
      detail: 'Telegram answered with the HTTP status 404: Not Found.',
    });
    assert.deepEqual(await checkOf({ url: await nobodysUrl() }), {
      ok: false,
      detail: 'Telegram could not be reached (ECONNREFUSED).',
    });
  });
});

test('the webhook is set with its secret, for the updates that are read', async (t) => {
  const { simulator, provider, desk } = await openBotRig(t);
  await fetch(`${simulator.url}/bot${TOKEN}/setWebhook?url=`);
  assert.equal((await provider.setWebhook(desk.url, soon())).ok, true);
  await simulator.shareContact(AIGUL);
  await simulator.block(AIGUL);
  assert.equal(desk.contacts().length, 2);
  const answer = await fetch(`${simulator.url}/bot${TOKEN}/getWebhookInfo`);
  assert.partialDeepStrictEqual(await answer.json(), {
    result: { url: desk.url, allowed_updates: ['message', 'my_chat_member'] },
  });
  const { ok, detail } = await provider.setWebhook('http://api.example.kz/', soon());
  assert.equal(ok, false);
  assert.match(detail, /^Telegram answered with the HTTP status 400: Bad Request: bad webhook/);
});

test('a secret that Telegram would not carry is not begun with', () => {
  const contacts = { findChat: async () => undefined, onContact: () => undefined };
  for (const secretToken of ['', 'a b', 'ключ', 'a'.repeat(257)]) {
    assert.throws(() => openTelegramBot({ token: TOKEN, secretToken }, systemClock, contacts), {
      message: 'telegram-bot: secretToken is malformed',
    });
  }
});

test('the token and the secret are in no outcome, detail or journal', async (t) => {
  const right = await openBotRig(t);
  const wrong = await openBotRig(t, { settings: { token: WRONG_TOKEN } });
  right.simulator.plans.add({ does: 'refuse', code: 'something new' });
  const said = JSON.stringify([
    await right.provider.send(codeMessage(), soon()),
    await wrong.provider.send(codeMessage(), soon()),
    await right.provider.check(soon()),
    await wrong.provider.check(soon()),
    await right.provider.setWebhook('nonsense', soon()),
    right.simulator.journal.lines,
    wrong.simulator.journal.lines,
  ]);
  assert.ok(said.includes('не признал бота'));
  for (const secret of [TOKEN, WRONG_TOKEN, SECRET]) {
    assert.ok(!said.includes(secret));
    assert.ok(!said.includes(encodeURIComponent(secret)));
  }
});
