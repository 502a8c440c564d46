import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PHONE } from './rig/messages.ts';
import { AIGUL, GROUP, GROUP_ID, openBotRig, SECRET } from './telegram-bot-rig.ts';

describe('a person', () => {
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
    assert.match(lastReply(sent()).markup, /request_contact/);
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

describe('a group', () => {
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

describe('an update', () => {
  const update = (body: unknown, secret: string | undefined = SECRET) => ({
    method: 'POST' as const,
    headers: { 'x-telegram-bot-api-secret-token': secret },
    query: {},
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  });
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
