/** The acts of the simulators' control API, the callbacks that follow, and invalid requests. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  createSimulators,
  type Printed,
  postControl,
  readJournalLines,
  type Simulated,
  startListener,
} from './simulators-harness.ts';

const home = createSimulators();
let service: Awaited<ReturnType<typeof startListener>>;
let simulated: Simulated;

before(async () => {
  service = await startListener();
  simulated = await home.simulate('--port', '0', '--service', service.url);
});
after(async () => {
  service.close();
  await home.remove();
});

const at = (name: string): Printed => simulated.at(name);
const perform = (name: string, act: string, given?: object) =>
  postControl(at(name), `acts/${act}`, given);

describe('acts of people at the Telegram bot', () => {
  const person = { phone: '+77050000500', userId: 4711, name: 'Асель' };
  const group = { chatId: -4001, title: 'Дежурные' };
  const ACTS: [act: string, given: object, updates: object[]][] = [
    ['start', person, [{ message: { text: '/start', chat: { id: 4711, first_name: 'Асель' } } }]],
    ['start', { ...person, payload: 'x' }, [{ message: { text: '/start x' } }]],
    [
      'share-contact',
      person,
      [{ message: { contact: { phone_number: '+77050000500', user_id: 4711 } } }],
    ],
    [
      'share-contact',
      { phone: '77050000501' },
      [{ message: { contact: { user_id: 77050000501 }, from: { id: 77050000501 } } }],
    ],
    [
      'share-foreign-contact',
      { ...person, otherPhone: '77050000502' },
      [{ message: { contact: { user_id: 77050000502 }, from: { id: 4711 } } }],
    ],
    [
      'forward-contact',
      { ...person, oldPhone: '77050000503' },
      [{ message: { contact: { phone_number: '77050000503' }, forward_origin: { type: 'user' } } }],
    ],
    ['say', { ...person, text: 'Привет' }, [{ message: { text: 'Привет' } }]],
    ['block', person, [{ my_chat_member: { new_chat_member: { status: 'kicked' } } }]],
    ['unblock', person, [{ my_chat_member: { new_chat_member: { status: 'member' } } }]],
    ['block', person, [{ my_chat_member: { new_chat_member: { status: 'kicked' } } }]],
    [
      'start',
      person,
      [
        { my_chat_member: { new_chat_member: { status: 'member' } } },
        { message: { text: '/start' } },
      ],
    ],
    [
      'add-to-group',
      group,
      [
        { my_chat_member: { chat: { id: -4001, title: 'Дежурные', type: 'group' } } },
        { message: { new_chat_members: [{}] } },
      ],
    ],
    ['say-in-group', { chatId: -4001, text: 'Привет' }, [{ message: { text: 'Привет' } }]],
    [
      'add-to-group-by-link',
      { ...group, payload: 'word' },
      [
        { my_chat_member: { chat: { id: -4001, title: 'Дежурные', type: 'group' } } },
        { message: { new_chat_members: [{}] } },
        { message: { text: '/start@zhiber_test_bot word', chat: { id: -4001 } } },
      ],
    ],
    [
      'upgrade-group',
      { chatId: -4001 },
      [
        { my_chat_member: { chat: { id: -1000000004001, type: 'supergroup' } } },
        { message: { migrate_to_chat_id: -1000000004001 } },
        { message: { migrate_from_chat_id: -4001 } },
      ],
    ],
    [
      'remove-from-group',
      { chatId: -1000000004001 },
      [{ my_chat_member: { new_chat_member: { status: 'kicked' } } }],
    ],
  ];
  for (const [act, given, updates] of ACTS) {
    test(`${act} ${JSON.stringify(given)} sends updates with the secret token`, async () => {
      const { status, body } = await perform('telegram-bot', act, given);
      const result = act === 'upgrade-group' ? { chatId: -1000000004001 } : { serviceStatus: 200 };
      assert.deepEqual([status, body], [200, { ok: true, ...result }]);
      for (const call of service.calls) {
        assert.equal(call.path, '/callbacks/telegram-bot');
        assert.equal(call.headers['x-telegram-bot-api-secret-token'], 'simulated-bot-secret');
      }
      assert.partialDeepStrictEqual(service.takeBodies(), updates);
    });
  }

  test('a forged contact has a wrong secret token', async () => {
    const given = { ...person, isForged: true };
    assert.equal((await perform('telegram-bot', 'share-contact', given)).status, 200);
    const [forged] = service.calls.splice(0);
    assert.notEqual(forged?.headers['x-telegram-bot-api-secret-token'], 'simulated-bot-secret');
    assert.match(forged?.body ?? '', /"contact"/);
  });

  test('acts are recorded in the journal', async () => {
    const acts = (await readJournalLines(at('telegram-bot'))).filter(
      ({ event }) => event === 'act',
    );
    assert.equal(acts.length, ACTS.length + 1);
    assert.partialDeepStrictEqual(acts[0], { name: 'start', given: person });
  });
});

describe('acts at WhatsApp', () => {
  const phone = '+77050000600';
  test('a message to the business opens the 24-hour window of the Cloud API', async () => {
    const trySend = async () => {
      const response = await fetch(`${at('whatsapp-cloud').url}/v25.0/100000000000001/messages`, {
        method: 'POST',
        headers: { authorization: 'Bearer EAAsimulated0000000000000000000000' },
        body: JSON.stringify({
          messaging_product: 'whatsapp',
          to: phone,
          type: 'text',
          text: { body: 'Здравствуйте' },
        }),
      });
      return response.status;
    };
    await postControl(at('whatsapp-cloud'), 'plans', { to: phone, does: 'accept', receipts: [] });
    await perform('whatsapp-cloud', 'write', { phone, isForged: true });
    assert.equal(await trySend(), 400);
    const { body } = await perform('whatsapp-cloud', 'write', { phone, text: 'Где заказ?' });
    assert.deepEqual(body, { ok: true, serviceStatus: 200 });
    assert.equal(await trySend(), 200);
    const [forged, genuine] = service.calls.splice(0).map(({ headers }) => headers);
    assert.ok(genuine?.['x-hub-signature-256']);
    assert.notEqual(genuine['x-hub-signature-256'], forged?.['x-hub-signature-256']);
  });

  test('a template can be paused, and the webhook subscribed', async () => {
    const paused = { name: 'otp_code', status: 'PAUSED' };
    assert.deepEqual((await perform('whatsapp-cloud', 'set-template', paused)).body, {
      ok: true,
      changed: 2,
    });
    assert.partialDeepStrictEqual(
      service.takeBodies(),
      ['ru', 'kk'].map((language) => ({
        entry: [
          {
            changes: [
              {
                field: 'message_template_status_update',
                value: {
                  event: 'PAUSED',
                  message_template_name: 'otp_code',
                  message_template_language: language,
                },
              },
            ],
          },
        ],
      })),
    );
    const { body } = await perform('whatsapp-cloud', 'subscribe');
    assert.equal(body.isAgreed, false, 'the listener does not complete the handshake');
    assert.match(service.calls.splice(0)[0]?.path ?? '', /hub\.mode=subscribe/);
  });

  test('Green-API sends notifications of a message and of a changed state', async () => {
    await perform('green-api', 'write', { phone, text: 'Где заказ?' });
    await perform('green-api', 'set-state', { state: 'yellowCard' });
    assert.partialDeepStrictEqual(service.takeBodies(), [
      { typeWebhook: 'incomingMessageReceived', senderData: { chatId: '77050000600@c.us' } },
      { typeWebhook: 'stateInstanceChanged', stateInstance: 'yellowCard' },
    ]);
  });
});

describe('an invalid request is answered with a sentence', () => {
  const CODE = 'With "fail", "code" should be an HTTP status from 200 to 599.';
  const WRONG: [
    name: string,
    place: string,
    given: object | string,
    status: number,
    expected: RegExp,
  ][] = [
    ['smsc', 'plans', '{', 400, /^The body should be a JSON object\.$/],
    ['smsc', 'plans', '[]', 400, /^The body should be a JSON object\.$/],
    ['smsc', 'plans', {}, 400, /^"does" should be one of: accept, refuse, .*malformed\.$/],
    ['smsc', 'plans', { does: 'explode' }, 400, /^"does" should be one of/],
    [
      'smsc',
      'plans',
      { does: 'hang', To: '7' },
      400,
      /^There is no field "To"; the fields are: to/,
    ],
    ['smsc', 'plans', { does: 'hang', to: 77010000001 }, 400, /^"to" should be a non-empty text/],
    ['smsc', 'plans', { does: 'hang', times: 0 }, 400, /^"times" should be a whole number, 1 or/],
    ['smsc', 'plans', { does: 'fail', code: 99 }, 400, new RegExp(`^${CODE}$`)],
    ['smsc', 'plans', { does: 'fail', code: 'x' }, 400, new RegExp(`^${CODE}$`)],
    ['smsc', 'plans', { does: 'refuse', code: 'x' }, 400, /^With "refuse", "code" should be a w/],
    ['green-api', 'plans', { does: 'refuse', code: 7 }, 400, /an HTTP status.*, or should be one/],
    ['smpp', 'plans', { does: 'refuse', code: -1 }, 400, /from 1 to 4294967295\.$/],
    [
      'smsc',
      'plans',
      { does: 'malformed', form: 'garbage' },
      400,
      /^"form" should be one of: html/,
    ],
    [
      'smpp',
      'plans',
      { does: 'malformed', form: 'html' },
      400,
      /^"form" should be one of: garbage/,
    ],
    ['smsc', 'plans', { does: 'accept', receipts: 'read' }, 400, /^"receipts" should be a list/],
    ['smsc', 'receipts', { id: 'x', receipt: 'read' }, 404, /^smsc took no message x\.$/],
    ['smsc', 'receipts', { receipt: 'read' }, 400, /^"id" should be/],
    ['smsc', 'receipts', { id: 'x', receipt: 'seen' }, 400, /^"receipt" should be one of: sent/],
    ['telegram-bot', 'receipts', { id: 'x', receipt: 'read' }, 400, /^telegram-bot reports no rec/],
    ['telegram-bot', 'acts/share-contact', {}, 400, /^"phone" should be a phone number in digits/],
    ['telegram-bot', 'acts/start', { phone: '7701', userId: 1 }, 400, /^"phone" should be/],
    ['telegram-bot', 'acts/block', { phone: '77010000001', userId: '1' }, 400, /^"userId" should/],
    ['telegram-bot', 'acts/add-to-group', { chatId: 5, title: 'x' }, 400, /^"chatId" should be/],
    ['telegram-bot', 'acts/remove-from-group', { chatId: -5 }, 400, /^The bot was never in a gr/],
    [
      'telegram-bot',
      'acts/dance',
      {},
      404,
      /^telegram-bot has no act "dance"; its acts are: start/,
    ],
    ['whatsapp-cloud', 'acts/write', { from: 'me' }, 400, /^There is no field "from"/],
    ['whatsapp-cloud', 'acts/set-template', { name: 'x', status: 'PAUSED' }, 400, /^There is no t/],
    ['green-api', 'acts/set-state', { state: 'tired' }, 400, /^"state" should be one of: author/],
    ['smpp', 'acts/write', { phone: '77010000001' }, 400, /^"text" should be a non-empty text/],
    ['smsc', 'acts/toString', {}, 404, /^smsc has no act "toString"; its acts are: none\.$/],
    ['smsc', 'nowhere', {}, 404, /^There is no POST \/_simulator\/nowhere here\.$/],
  ];
  for (const [name, place, given, status, expected] of WRONG) {
    test(`${name}: ${place} ${JSON.stringify(given)}`, async () => {
      const answer = await postControl(at(name), place, given);
      assert.equal(answer.status, status);
      assert.match(String(answer.body.error), expected);
    });
  }

  test('all simulators still run', async () => {
    assert.equal(simulated.child.exitCode, null);
    assert.equal(simulated.err(), '');
  });
});
