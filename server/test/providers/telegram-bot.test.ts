import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { notOffered, refused, unavailable, unknown } from '../../src/channels/failed-outcome.ts';
import { openTelegramBot } from '../../src/channels/telegram/bot.ts';
import type { Phone } from '../../src/phone.ts';
import { AIGUL, BOT, GROUP, GROUP_ID, openBotRig } from './provider-rigs.ts';
import { startParrot } from './rig/local-server.ts';
import {
  codeMessage,
  groupMessage,
  LINK,
  linkMessage,
  PHONE,
  posted,
  soon,
  whenReached,
} from './rig/messages.ts';
import { testAnswers, testRefusals } from './rig/tables.ts';
import { TOOLS } from './rig/tools.ts';

const toGroup = () => groupMessage(GROUP_ID);

describe('telegram-bot: a message', () => {
  const MESSAGES = {
    code: codeMessage(),
    code_with_link: codeMessage({ content: 'code_with_link', link: LINK }),
    text: linkMessage(),
    group: toGroup(),
  };
  for (const [content, message] of Object.entries(MESSAGES)) {
    test(`of the kind ${content} is plain text without a preview`, async (t) => {
      const { provider, sent } = await openBotRig(t);
      const outcome = await provider.send(message, soon());
      const [taken] = sent();
      assert.deepEqual(outcome, { result: 'accepted', providerId: taken?.id });
      const to = content === 'group' ? GROUP_ID : '501';
      assert.partialDeepStrictEqual(taken, { to, text: message.text });
      assert.deepEqual(taken?.details, { link_preview_options: { is_disabled: true } });
      assert.match(taken?.id ?? '', RegExp(`^${to}/\\d+$`), 'its chat, and its number there');
    });
  }

  test('goes only to people who have shared their phone, and to groups', async (t) => {
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
    const outcome = await provider.send(codeMessage(), soon());
    assert.deepEqual(outcome, unavailable('Не удалось узнать, подключён ли бот в Telegram'));
    assert.deepEqual(sent(), []);
  });
});

describe('telegram-bot: refusals', () => {
  const WRONG_TOKEN = unavailable('Telegram не признал бота');
  const PUT_OUT = refused('Бота удалили из группы');
  const NO_RIGHTS = refused('У бота нет права писать в эту группу');
  const TOO_LONG = refused('Сообщение слишком длинное для Telegram');
  const EMPTY = refused('Пустое сообщение');
  const NO_CHAT = refused('Чат не найден');
  const BLOCKED = refused('Получатель заблокировал бота');
  testRefusals(
    openBotRig,
    {
      blocked: BLOCKED,
      deactivated: refused('Аккаунт получателя в Telegram удалён'),
      not_started: refused('Получатель ещё не начал диалог с ботом'),
      kicked: PUT_OUT,
      kicked_from_supergroup: PUT_OUT,
      not_a_member: refused('Бот не состоит в этой группе'),
      group_deleted: refused('Группа удалена'),
      chat_not_found: NO_CHAT,
      no_rights: NO_RIGHTS,
      no_plain_text: NO_RIGHTS,
      too_long: TOO_LONG,
      empty: EMPTY,
      unauthorized: WRONG_TOKEN,
      not_found: WRONG_TOKEN,
      'something new': refused('Telegram отклонил сообщение (400)'),
    },
    toGroup,
  );

  test('come from what truly happened, too', async (t) => {
    const { simulator, provider, sent } = await openBotRig(t);
    const send = (message = toGroup()) => provider.send(message, soon());
    assert.deepEqual(await send({ ...toGroup(), text: 'а'.repeat(4_097) }), TOO_LONG);
    assert.deepEqual(await send({ ...toGroup(), text: ' ' }), EMPTY);
    assert.deepEqual(await send(groupMessage('-1')), NO_CHAT);
    assert.deepEqual(await send(groupMessage('@no_one')), NO_CHAT);
    await simulator.removeBotFromGroup(GROUP.chatId);
    assert.deepEqual(await send(), PUT_OUT);
    await simulator.block(AIGUL);
    assert.deepEqual(await send(codeMessage()), BLOCKED);
    assert.deepEqual(sent(), []);
    await simulator.start(AIGUL);
    assert.equal((await send(codeMessage())).result, 'accepted');
  });

  const UNCLEAR = unknown('Telegram ответил непонятно');
  const result = { message_id: 5 };
  const openUntold: typeof openBotRig = async (t, changes) => {
    const rig = await openBotRig(t, changes);
    t.after(() => assert.deepEqual(rig.told, []));
    return rig;
  };
  testAnswers(openUntold, {
    'no result': [200, { ok: true }, UNCLEAR],
    'a result that is no object': [200, { ok: true, result: true }, UNCLEAR],
    'an empty result': [200, { ok: true, result: {} }, UNCLEAR],
    'the number 0': [200, { ok: true, result: { message_id: 0 } }, UNCLEAR],
    'a number in a text': [200, { ok: true, result: { message_id: '5' } }, UNCLEAR],
    'a broken number': [200, { ok: true, result: { message_id: 5.5 } }, UNCLEAR],
    'a result without ok': [200, { result }, UNCLEAR],
    'an error and the status 200': [
      200,
      { ok: false, error_code: 400, description: 'Bad Request: chat not found' },
      UNCLEAR,
    ],
    'success and the status 202': [202, { ok: true, result }, UNCLEAR],
    'success and the status 302': [302, { ok: true, result }, UNCLEAR],
    'success and the status 400': [400, { ok: true, result }, UNCLEAR],
    'an error without ok': [403, { description: 'Forbidden' }, UNCLEAR],
    'an error and the status 500': [
      500,
      { ok: false, error_code: 500, description: 'Internal Server Error' },
      UNCLEAR,
    ],
    'a move and the status 502': [
      502,
      { ok: false, parameters: { migrate_to_chat_id: -1_000_000_000_001 } },
      UNCLEAR,
    ],
  });
});

describe('telegram-bot: too many messages', () => {
  const TOO_MANY = refused('Слишком много сообщений Telegram этому получателю подряд');
  const WAIT = unavailable('Telegram просит подождать');
  const flood = (to: string) => ({ does: 'refuse', code: 'flood', to }) as const;
  const answers = ({ journal }: Awaited<ReturnType<typeof openBotRig>>['simulator']) =>
    journal.lines.filter(({ event }) => event === 'refused').length;

  test('to one chat: it is not called before the time that Telegram named', async (t) => {
    const { simulator, provider, sent } = await openBotRig(t);
    simulator.plans.add({ ...flood(GROUP_ID), retryAfter: 600, times: 1 });
    const outcomes = [];
    for (let i = 0; i < 3; i++) outcomes.push(await provider.send(toGroup(), soon()));
    assert.deepEqual(outcomes, [TOO_MANY, notOffered(TOO_MANY), notOffered(TOO_MANY)]);
    assert.deepEqual([answers(simulator), sent()], [1, []]);
    assert.equal((await provider.send(codeMessage(), soon())).result, 'accepted');
  });

  test('to one chat: it is called again when that time is over', async (t) => {
    const { simulator, provider, sent } = await openBotRig(t);
    simulator.plans.add({ ...flood(GROUP_ID), retryAfter: 1, times: 1 });
    const startedAt = performance.now();
    let outcome = await provider.send(toGroup(), soon());
    while (outcome.result !== 'accepted') {
      assert.equal(outcome.result, 'refused');
      outcome = await provider.send(toGroup(), soon());
    }
    assert(performance.now() - startedAt >= 1_000);
    assert.deepEqual([answers(simulator), sent().length], [1, 1]);
  });

  test('to one chat, where the answer names no time', async (t) => {
    const body = { ok: false, error_code: 429, description: 'Too Many Requests' };
    const { url, paths } = await startParrot(t, { status: 429, body });
    const { provider } = await openBotRig(t, { settings: { url } });
    for (let i = 0; i < 3; i++) await provider.send(toGroup(), soon());
    assert.equal(paths.length, 1);
  });

  test('to three chats in a short time: the whole bot waits', async (t) => {
    const { simulator, provider, sent } = await openBotRig(t);
    const outcomes = [];
    for (const chatId of [-4_801, -4_802, -4_803]) {
      await simulator.addBotToGroup({ chatId, title: 'Г' });
      simulator.plans.add({ ...flood(String(chatId)), retryAfter: 600 });
      outcomes.push(await provider.send(groupMessage(String(chatId)), soon()));
    }
    assert.deepEqual(outcomes, [TOO_MANY, TOO_MANY, WAIT]);
    assert.deepEqual(await provider.send(codeMessage(), soon()), notOffered(WAIT));
    assert.deepEqual([answers(simulator), sent()], [3, []]);
  });
});

describe('telegram-bot: a chat that a send shows to be gone', () => {
  const PERSON = { kind: 'telegram_person_gone', chatId: '501' };
  const IN_GROUP = { kind: 'telegram_group_gone', chatId: GROUP_ID };
  const GONE = {
    blocked: [codeMessage(), PERSON],
    deactivated: [codeMessage(), PERSON],
    not_started: [codeMessage(), PERSON],
    chat_not_found: [codeMessage(), PERSON],
    kicked: [toGroup(), IN_GROUP],
    kicked_from_supergroup: [toGroup(), IN_GROUP],
    not_a_member: [toGroup(), IN_GROUP],
    group_deleted: [toGroup(), IN_GROUP],
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
    test(`is still there when the answer is ${code}`, async (t) => {
      const { simulator, provider, told } = await openBotRig(t);
      simulator.plans.add({ does: 'refuse', code });
      assert.notEqual((await provider.send(toGroup(), soon())).result, 'accepted');
      assert.deepEqual(told, []);
    });
  }
});

describe('telegram-bot: a group that has moved', () => {
  test('gets the message once, at its new address, and the move is told', async (t) => {
    const { simulator, provider, sent, told } = await openBotRig(t);
    simulator.plans.add({ does: 'refuse', code: 'migrate', times: 1 });
    const outcome = await provider.send(toGroup(), soon());
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
    const outcome = await provider.send(toGroup(), soon());
    assert.equal(outcome.result, 'refused');
    const refusals = simulator.journal.lines.filter(({ event }) => event === 'refused');
    assert.deepEqual([sent().length, refusals.length], [0, 2]);
  });

  test('leaves an unknown outcome when its new address does not answer', async (t) => {
    const { simulator, provider, sent, told } = await openBotRig(t);
    simulator.plans.add({ does: 'hang' });
    simulator.plans.add({ does: 'refuse', code: 'migrate', times: 1 });
    const outcome = await provider.send(toGroup(), whenReached(simulator, 2));
    assert.deepEqual([outcome.result, sent().length, told.length], ['unknown', 1, 1]);
  });
});

describe('telegram-bot: the check of the set-up', () => {
  test('is good for a bot whose updates arrive', async (t) => {
    const { provider, desk } = await openBotRig(t);
    const detail = `Updates of @zhiber_test_bot go to ${new URL(desk.url).host}.`;
    assert.deepEqual(await provider.check(soon()), { ok: true, detail });
  });

  test('tells of a webhook that is not set', async (t) => {
    const { simulator, provider } = await openBotRig(t);
    await fetch(`${simulator.url}/bot${BOT.token}/setWebhook?url=`);
    assert.deepEqual(await provider.check(soon()), {
      ok: false,
      detail:
        'The token belongs to @zhiber_test_bot, but its webhook is not set; run "zhiber bot connect".',
    });
  });

  test('tells of updates that go to another address, and to which they should go', async (t) => {
    const callbackUrl = 'https://api.example.kz/callbacks/telegram-bot';
    const { simulator, provider } = await openBotRig(t, { settings: { callbackUrl } });
    const connect = (url: string) =>
      fetch(`${simulator.url}/bot${BOT.token}/setWebhook?url=${encodeURIComponent(url)}`);
    await connect('https://old.example.kz/hooks/secret-of-somebody');
    assert.deepEqual(await provider.check(soon()), {
      ok: false,
      detail: `Updates of @zhiber_test_bot go to another address at old.example.kz, not to ${callbackUrl}; run "zhiber bot connect".`,
    });
    await connect(`${callbackUrl}-2`);
    assert.equal((await provider.check(soon())).ok, false);
    await connect(callbackUrl);
    assert.equal((await provider.check(soon())).ok, true);
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

  const WRONG = {
    '123456789:AAFanotherTokenThatWasNeverIssuedByT': '401: Unauthorized',
    'no token\nat all': '404: Not Found',
  };
  for (const [token, status] of Object.entries(WRONG)) {
    test(`tells the answer to a wrong token: ${status}`, async (t) => {
      const { provider } = await openBotRig(t, { settings: { token } });
      const detail = `Telegram answered with the HTTP status ${status}.`;
      assert.deepEqual(await provider.check(soon()), { ok: false, detail });
    });
  }
});

describe('telegram-bot: the webhook', () => {
  test('is set with its secret, for the updates that are read', async (t) => {
    const { simulator, provider, desk } = await openBotRig(t);
    await fetch(`${simulator.url}/bot${BOT.token}/setWebhook?url=`);
    assert.equal((await provider.setWebhook(desk.url, soon())).ok, true);
    await simulator.shareContact(AIGUL);
    await simulator.block(AIGUL);
    assert.equal(desk.contacts().length, 2);
    const answer = await fetch(`${simulator.url}/bot${BOT.token}/getWebhookInfo`);
    assert.partialDeepStrictEqual(await answer.json(), {
      result: { url: desk.url, allowed_updates: ['message', 'my_chat_member'] },
    });
  });

  test('is not set to an address that Telegram would not call, and no secret is told', async (t) => {
    const { provider } = await openBotRig(t);
    const { ok, detail } = await provider.setWebhook('http://api.example.kz/', soon());
    assert.equal(ok, false);
    assert.match(detail, /^Telegram answered with the HTTP status 400: Bad Request: bad webhook/);
    for (const secret of Object.values(BOT)) assert.ok(!detail.includes(secret));
  });

  test('needs a secret that Telegram can carry', () => {
    const contacts = { findChat: async () => undefined, onContact: () => undefined };
    for (const secretToken of ['', 'a b', 'ключ', 'a'.repeat(257)]) {
      assert.throws(() => openTelegramBot({ ...BOT, secretToken }, TOOLS, contacts), {
        message: 'telegram-bot: secretToken is malformed',
      });
    }
  });
});

describe('telegram-bot: a person', () => {
  const lastReply = (sent: ReturnType<Awaited<ReturnType<typeof openBotRig>>['sent']>) => {
    const { to, text, details } = sent.at(-1) ?? {};
    return { to, text: text ?? '', markup: JSON.stringify(details?.reply_markup) };
  };

  for (const payload of [undefined, 'from_the_site']) {
    test(`who starts the bot${payload ? ' by a link' : ''} is asked for a phone`, async (t) => {
      const { simulator, sent, desk } = await openBotRig(t);
      assert.equal(await simulator.start(AIGUL, payload), 200);
      const { to, text, markup } = lastReply(sent());
      assert.equal(to, '501');
      assert.match(text, /отправьте свой номер телефона[\s\S]*телефон нөміріңізді жіберіңіз/);
      assert.match(markup, /"request_contact":true/);
      assert.deepEqual(desk.contacts(), []);
    });
  }

  test('who shares a phone can be written to, and the keyboard goes away', async (t) => {
    const { simulator, sent, desk } = await openBotRig(t);
    for (const phone of ['77010000001', '+77010000001']) {
      assert.equal(await simulator.shareContact({ ...AIGUL, phone }), 200);
    }
    const contact = { kind: 'telegram_person', phone: PHONE, chatId: '501', name: 'Айгүл' };
    assert.deepEqual(desk.contacts(), [contact, contact]);
    const { text, markup } = lastReply(sent());
    assert.match(text, /Спасибо[\s\S]*Рахмет/);
    assert.equal(markup, '{"remove_keyboard":true}');
  });

  test('who shares the phone of somebody else is refused', async (t) => {
    const { simulator, sent, desk } = await openBotRig(t);
    const other = { userId: 502, phone: '77010000002', name: 'Болат' };
    await simulator.shareForeignContact(AIGUL, other);
    await simulator.forwardContact(AIGUL, '77010000003');
    await simulator.shareContact({ ...AIGUL, phone: 'nonsense' });
    assert.deepEqual([desk.contacts(), sent().length], [[], 3]);
    for (const { text, details } of sent()) {
      assert.match(text, /только ваш собственный номер[\s\S]*өзіңіздің нөміріңізді/);
      assert.match(JSON.stringify(details), /"request_contact":true/);
    }
  });

  test('who blocks the bot is gone, and can come back', async (t) => {
    const { simulator, desk, sent } = await openBotRig(t);
    await simulator.block(AIGUL);
    assert.deepEqual(desk.contacts(), [{ kind: 'telegram_person_gone', chatId: '501' }]);
    assert.deepEqual(sent(), []);
    await simulator.start(AIGUL);
    assert.equal(desk.contacts().length, 1);
    assert.equal(sent().length, 1, 'the return and its command are answered once');
    await simulator.start(AIGUL);
    assert.equal(sent().length, 2, 'a further command is answered');
    assert.match(lastReply(sent()).markup, /request_contact/);
  });

  test('who lets the bot in again without a word is asked for the phone again', async (t) => {
    const { simulator, desk, sent } = await openBotRig(t);
    await simulator.block(AIGUL);
    assert.equal(await simulator.unblock(AIGUL), 200);
    assert.deepEqual([lastReply(sent()).to, sent().length], ['501', 1]);
    assert.match(lastReply(sent()).markup, /request_contact/);
    await simulator.shareContact(AIGUL);
    assert.deepEqual(
      desk.contacts().map(({ kind }) => kind),
      ['telegram_person_gone', 'telegram_person'],
    );
  });

  test('who writes a stop word gets no more broadcasts, and is told so', async (t) => {
    const { simulator, sent, desk } = await openBotRig(t);
    for (const text of ['Стоп', '/stop']) assert.equal(await simulator.say(AIGUL, text), 200);
    assert.deepEqual(
      desk.contents.map(({ stops }) => stops),
      [[{ chatId: '501' }], [{ chatId: '501' }]],
    );
    assert.equal(lastReply(sent()).to, '501');
    assert.match(lastReply(sent()).text, /Вы отписались от рассылки[\s\S]*бас тарттыңыз/);
  });

  test('a stop word in a group stops nothing', async (t) => {
    const { simulator, sent, desk } = await openBotRig(t);
    await simulator.sayInGroup(GROUP.chatId, 'стоп');
    assert.deepEqual([desk.contents, sent()], [[{ reports: [] }], []]);
  });

  test('who writes something else is not answered', async (t) => {
    const { simulator, sent, desk } = await openBotRig(t);
    for (const text of ['Здравствуйте', '/started', 'please /start']) {
      assert.equal(await simulator.say(AIGUL, text), 200);
    }
    assert.deepEqual(sent(), []);
    assert.deepEqual(desk.contents, Array(3).fill({ reports: [] }));
  });
});

describe('telegram-bot: a group', () => {
  test('that takes the bot in, or puts it out, is told', async (t) => {
    const { simulator, desk, sent } = await openBotRig(t);
    const supergroup = { chatId: -1_001_234_567_890, title: 'Склад' };
    await simulator.addBotToGroup(supergroup);
    await simulator.removeBotFromGroup(supergroup.chatId);
    await simulator.removeBotFromGroup(GROUP.chatId);
    assert.deepEqual(desk.contacts(), [
      { kind: 'telegram_group', chatId: '-1001234567890', title: 'Склад' },
      { kind: 'telegram_group_gone', chatId: '-1001234567890' },
      { kind: 'telegram_group_gone', chatId: GROUP_ID },
    ]);
    assert.deepEqual(sent(), []);
  });

  test('that is upgraded moves, in the old chat and in the new one', async (t) => {
    const { simulator, desk } = await openBotRig(t);
    const newChatId = String(await simulator.upgradeGroup(GROUP.chatId));
    const moved = { kind: 'telegram_group_moved', chatId: GROUP_ID, newChatId };
    assert.deepEqual(desk.contacts(), [
      { kind: 'telegram_group', chatId: newChatId, title: GROUP.title },
      moved,
      moved,
    ]);
  });
});

describe('telegram-bot: an update', () => {
  const SECRET = BOT.secretToken;
  const update = (body: unknown, secret = SECRET) =>
    posted(body, { 'x-telegram-bot-api-secret-token': secret });
  const membership = (type: string, bot: object) => ({
    my_chat_member: { chat: { id: -5, type, title: 'Т' }, new_chat_member: bot },
  });

  test('without the right secret is not believed', async (t) => {
    const { provider } = await openBotRig(t);
    const good = membership('group', { status: 'member' });
    assert.ok(provider.readCallback?.(update(good)));
    for (const secret of ['', SECRET.slice(1), `${SECRET}x`, SECRET.toUpperCase()]) {
      assert.equal(provider.readCallback?.(update(good, secret)), undefined);
    }
    assert.equal(provider.readCallback?.({ ...update(good), headers: {} }), undefined);
    assert.equal(provider.readCallback?.({ ...update(good), method: 'GET' }), undefined);
    for (let bit = 0; bit < SECRET.length * 7; bit++) {
      const flipped = Buffer.from(SECRET);
      const at = Math.floor(bit / 7);
      flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (bit % 7)), at);
      assert.equal(provider.readCallback?.(update(good, flipped.toString('latin1'))), undefined);
    }
  });

  test('that is malformed or of no use tells nothing', async (t) => {
    const { provider } = await openBotRig(t);
    const chat = { id: 501, type: 'private' };
    const contact = { phone_number: PHONE, first_name: 'Айгүл' };
    const useless = [
      '',
      '[]',
      'null',
      '{"message":',
      {},
      { message: [] },
      { message: { text: '/start' } },
      { message: { chat: { id: '501', type: 'private' }, text: '/start' } },
      { message: { chat: { id: -5, type: 'group' }, text: '/start' } },
      { message: { chat: { id: -5, type: 'group' }, contact } },
      { message: { chat: { id: -5, type: 'group' }, migrate_to_chat_id: 'x' } },
      { edited_message: { chat, text: '/start' } },
      membership('channel', { status: 'administrator' }),
      { my_chat_member: { chat } },
    ];
    for (const body of useless) {
      assert.deepEqual(
        provider.readCallback?.(update(body)),
        { reports: [] },
        JSON.stringify(body),
      );
    }
    // Neither has said whose contact it is.
    const from = { id: 501 };
    for (const message of [
      { chat, contact },
      { chat, from, contact },
      { chat, from: {}, contact: { ...contact, user_id: 501 } },
      { chat, from, contact: { ...contact, user_id: '501' } },
    ]) {
      assert.equal(provider.readCallback?.(update({ message }))?.contacts, undefined);
    }
  });

  test('of every standing in a group is told apart', async (t) => {
    const { provider } = await openBotRig(t);
    const kindOf = (standing: object) =>
      provider.readCallback?.(update(membership('supergroup', standing)))?.contacts?.[0]?.kind;
    for (const status of ['creator', 'administrator', 'member']) {
      assert.equal(kindOf({ status }), 'telegram_group');
    }
    assert.equal(kindOf({ status: 'restricted', is_member: true }), 'telegram_group');
    assert.equal(kindOf({ status: 'restricted', is_member: false }), 'telegram_group_gone');
    for (const status of ['left', 'kicked'])
      assert.equal(kindOf({ status }), 'telegram_group_gone');
  });

  test('that was not taken comes again', async (t) => {
    const { simulator, desk } = await openBotRig(t);
    desk.failsWith = 503;
    assert.equal(await simulator.shareContact(AIGUL), 503);
    desk.failsWith = undefined;
    assert.equal(await simulator.repeatUpdates(), 200);
    assert.equal(desk.contacts().length, 1);
  });
});
