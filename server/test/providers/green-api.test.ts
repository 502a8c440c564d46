import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { refused, unavailable, unknown } from '../../src/channels/failed-outcome.ts';
import type { CallbackContent } from '../../src/channels/provider.ts';
import { type GreenApiSettings, openGreenApi } from '../../src/channels/whatsapp/green-api.ts';
import { GREEN_API, openGreenRig } from './provider-rigs.ts';
import {
  codeMessage,
  groupMessage,
  LINK,
  linkMessage,
  PHONE,
  posted,
  soon,
} from './rig/messages.ts';
import { testAnswers, testCallbacks, testRefusals } from './rig/tables.ts';
import { TOOLS } from './rig/tools.ts';

const GROUP = '120363043968066561@g.us';

describe('green-api: what goes over the wire', () => {
  const MESSAGES = {
    'a code': codeMessage(),
    'a code with a link': codeMessage({
      content: 'code_with_link',
      text: `Код 482913 ${LINK}`,
      link: LINK,
    }),
    'a text': linkMessage(),
    'a text to a group': groupMessage(GROUP),
  };
  for (const [name, message] of Object.entries(MESSAGES)) {
    test(`${name} is its text, without a preview`, async (t) => {
      const { provider, simulator } = await openGreenRig(t);
      assert.ok(provider.carries.has(message.content));
      assert.equal((await provider.send(message, soon())).result, 'accepted');
      const chatId = 'group' in message.to ? GROUP : `${PHONE}@c.us`;
      const [taken] = simulator.journal.taken();
      assert.deepEqual(taken?.details, { chatId, message: message.text, linkPreview: false });
    });
  }

  for (const group of ['-1001234567890', 'Соседи', '0202221234@g.us', `${PHONE}@c.us`, '']) {
    test(`«${group}» is no group of WhatsApp, and nothing is sent`, async (t) => {
      const { provider, simulator } = await openGreenRig(t);
      const outcome = await provider.send(groupMessage(group), soon());
      assert.deepEqual(outcome, refused('Это не группа WhatsApp'));
      assert.deepEqual(simulator.journal.lines, []);
    });
  }

  test('a token with special characters is still one part of the address', async (t) => {
    const token = 'a/b?c#d e';
    const { provider } = await openGreenRig(t, { settings: { token }, simulator: { token } });
    assert.equal((await provider.send(codeMessage(), soon())).result, 'accepted');
  });
});

describe('green-api: refusals', () => {
  const BAD_TOKEN = unavailable('Провайдер WhatsApp не принимает ключ доступа');
  const NOT_CONNECTED = unavailable('Аккаунт WhatsApp у провайдера не подключён');
  const UNCLEAR = unknown('Провайдер WhatsApp ответил непонятно');
  testRefusals(openGreenRig, {
    400: refused('Провайдер WhatsApp не принял сообщение'),
    401: BAD_TOKEN,
    403: BAD_TOKEN,
    404: unavailable('Адрес провайдера WhatsApp указан неверно'),
    408: UNCLEAR,
    418: refused('Провайдер WhatsApp отказал в отправке (код 418)'),
    429: unavailable('Достигнут лимит отправки WhatsApp'),
    466: unavailable('Исчерпан тариф провайдера WhatsApp'),
    499: UNCLEAR,
    starting: NOT_CONNECTED,
    not_authorized: NOT_CONNECTED,
    deleted: NOT_CONNECTED,
    expired: unavailable('Не оплачен аккаунт у провайдера WhatsApp'),
  });

  const quota = { correspondentsStatus: { status: 'CORRESPONDENTS_QUOTE_EXCEEDED' } };
  testAnswers(openGreenRig, {
    'an id and the status 201': [201, { idMessage: '3EB0' }, 'accepted'],
    'an id and the status 302': [302, { idMessage: '3EB0' }, 'unknown'],
    'an id and the status 500': [500, { idMessage: '3EB0' }, 'unknown'],
    'an empty id': [200, { idMessage: '' }, 'unknown'],
    'an id that is a number': [200, { idMessage: 7 }, 'unknown'],
    'a used up quota and no id': [200, quota, 'unknown'],
    'the words of an instance that is logged out': [
      400,
      'instance account not authorized',
      'unavailable',
    ],
    'HTML and the status 400': [400, '<html>', 'refused'],
  });
});

describe('green-api: the check of the set-up', () => {
  const DETAILS = {
    authorized: 'The instance is authorized.',
    notAuthorized: 'The instance is notAuthorized: link its phone again in the console.',
    blocked: 'The instance is blocked: WhatsApp has blocked its number.',
    sleepMode: 'The instance is sleepMode: its phone is off.',
    starting: 'The instance is starting: it takes up to five minutes.',
    yellowCard:
      'The instance is yellowCard: WhatsApp has suspended its number; wait, then reboot it in the console.',
    'something new': 'The instance is something new.',
  };
  for (const [state, detail] of Object.entries(DETAILS)) {
    test(`an instance that is ${state}`, async (t) => {
      const { provider } = await openGreenRig(t, { simulator: { state } });
      assert.deepEqual(await provider.check(soon()), { ok: state === 'authorized', detail });
    });
  }

  const WRONG: Record<string, [settings: Partial<GreenApiSettings>, detail: string]> = {
    'a wrong token': [{ token: 'x' }, 'Green-API does not accept the token of the instance.'],
    'a wrong instance': [
      { instanceId: '7' },
      'Green-API does not know this instance at this address.',
    ],
  };
  for (const [name, [settings, detail]] of Object.entries(WRONG)) {
    test(`${name} is named, and sends nothing`, async (t) => {
      const { provider, simulator } = await openGreenRig(t, { settings });
      assert.deepEqual(await provider.check(soon()), { ok: false, detail });
      assert.equal((await provider.send(codeMessage(), soon())).result, 'unavailable');
      assert.deepEqual(simulator.journal.taken(), []);
    });
  }
});

test('green-api: people add the number of the linked device to their groups, while it is connected', async (t) => {
  const { provider } = await openGreenRig(t);
  assert.equal(await provider.readGroupAccount?.(soon()), '+77000000000');
  const offline = await openGreenRig(t, { simulator: { state: 'notAuthorized' } });
  assert.equal(await offline.provider.readGroupAccount?.(soon()), undefined);
});

describe('green-api: notifications', () => {
  const providerId = '3EB0C767D097B7C7C030';
  const notice = (changes: object = {}) => ({
    typeWebhook: 'outgoingMessageStatus',
    chatId: `${PHONE}@c.us`,
    instanceData: {
      idInstance: Number(GREEN_API.instanceId),
      wid: '77000000000@c.us',
      typeInstance: 'whatsapp',
    },
    timestamp: 1_763_164_800,
    idMessage: providerId,
    status: 'delivered',
    sendByApi: true,
    ...changes,
  });
  const brought = (content: unknown, authorization?: string) =>
    posted(content, authorization === undefined ? {} : { authorization });
  const WORD = GREEN_API.callbackToken;
  const trusted = (content: unknown) => brought(content, `Bearer ${WORD}`);
  const withStatus = (status: string) => trusted(notice({ status }));
  const failed = (reason: string): CallbackContent => ({
    reports: [{ providerId, receipt: 'failed', reason }],
  });
  const DELIVERED: CallbackContent = { reports: [{ providerId, receipt: 'delivered' }] };
  const NOTHING: CallbackContent = { reports: [] };

  const word = 'group-abcdefghijkmnopqrstuvwxy';
  const said = (text: string, changes: object = {}) =>
    trusted({
      ...notice({ typeWebhook: 'incomingMessageReceived' }),
      senderData: { chatId: GROUP, sender: `${PHONE}@c.us`, chatName: 'Склад' },
      messageData: { typeMessage: 'textMessage', textMessageData: { textMessage: text } },
      ...changes,
    });
  const CLAIM: CallbackContent = {
    reports: [],
    claim: { channel: 'whatsapp', chatId: GROUP, title: 'Склад', word },
  };
  const extended = {
    typeMessage: 'extendedTextMessage',
    extendedTextMessageData: { text: `${word}\n` },
  };

  const PRIVATE = { chatId: `${PHONE}@c.us`, sender: `${PHONE}@c.us`, chatName: 'Айгүл' };

  test('a person is told that no more broadcasts will come', async (t) => {
    const { provider, simulator } = await openGreenRig(t);
    await provider.confirmStop?.(PHONE, soon());
    const [taken] = simulator.journal.taken();
    assert.equal(taken?.to, `${PHONE}@c.us`);
    assert.match(taken.text, /Вы отписались от рассылки[\s\S]*таратудан бас тарттыңыз/);
  });

  testCallbacks(() => openGreenApi(GREEN_API, TOOLS), {
    'of a stop word from a person': [
      said('ТОҚТА', { senderData: PRIVATE }),
      { reports: [], stops: [{ phone: PHONE }] },
    ],
    'of a stop word in a group': [said('ТОҚТА'), NOTHING],
    'of our own stop word': [
      said('ТОҚТА', { senderData: PRIVATE, typeWebhook: 'outgoingMessageReceived' }),
      NOTHING,
    ],
    'with the word of an invitation in a group': [said(word), CLAIM],
    'with such a word in another form of text': [said('', { messageData: extended }), CLAIM],
    'with a word among others': [said(`Вот: ${word}`), NOTHING],
    'with a longer word in a group': [said(`${word}z`), NOTHING],
    'with a word in a private chat': [
      said(word, { senderData: { chatId: `${PHONE}@c.us`, chatName: 'А' } }),
      NOTHING,
    ],
    'with a word that the service itself has sent': [
      said(word, { typeWebhook: 'outgoingAPIMessageReceived' }),
      NOTHING,
    ],
    'with a word from another instance': [said(word, { instanceData: { idInstance: 7 } }), NOTHING],
    'with the status sent': [withStatus('sent'), NOTHING],
    'with the status delivered': [withStatus('delivered'), DELIVERED],
    'with the status read': [withStatus('read'), { reports: [{ providerId, receipt: 'read' }] }],
    'with the status failed': [withStatus('failed'), failed('WhatsApp не доставил сообщение')],
    'with the status noAccount': [withStatus('noAccount'), failed('У этого номера нет WhatsApp')],
    'with the status notInGroup': [
      withStatus('notInGroup'),
      failed('Отправитель не состоит в этой группе'),
    ],
    'with the status yellowCard': [
      withStatus('yellowCard'),
      failed('WhatsApp приостановил отправку с этого номера'),
    ],
    'with the status toString': [withStatus('toString'), NOTHING],
    'with a status of the future': [withStatus('teleported'), NOTHING],

    'of another kind': [trusted(notice({ typeWebhook: 'incomingMessageReceived' })), NOTHING],
    'of another instance': [trusted(notice({ instanceData: { idInstance: 7 } })), NOTHING],
    'without an instance': [trusted(notice({ instanceData: null })), NOTHING],
    'about a message typed on the phone': [trusted(notice({ sendByApi: false })), NOTHING],
    'without an id': [trusted(notice({ idMessage: undefined })), NOTHING],
    'with an id that is no text': [trusted(notice({ idMessage: 7 })), NOTHING],
    'that is no JSON': [trusted('{'), NOTHING],
    'that is an array': [trusted('[]'), NOTHING],
    'that is empty': [trusted(''), NOTHING],

    'with the bare word': [brought(notice(), WORD), DELIVERED],
    'with the word as a bearer in lower case': [brought(notice(), `bearer ${WORD}`), DELIVERED],
    'without a word': [brought(notice()), undefined],
    'with an empty bearer': [brought(notice(), 'Bearer '), undefined],
    'with another word': [brought(notice(), 'Bearer another'), undefined],
    'with a longer word': [brought(notice(), `${WORD}x`), undefined],
    'with the word as Basic': [brought(notice(), `Basic ${WORD}`), undefined],
    'by GET': [{ ...trusted(notice()), method: 'GET' }, undefined],
  });
});
