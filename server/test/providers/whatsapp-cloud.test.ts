import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import {
  marketingTemplate,
  USUAL_TEMPLATES,
  type WhatsappCloudOptions,
} from '../../../simulators/whatsapp-cloud.ts';
import type { ContentKind, Outcome, OutgoingMessage } from '../../src/channels/channel.ts';
import { refused, unavailable } from '../../src/channels/failed-outcome.ts';
import type { CallbackContent, CallbackRequest } from '../../src/channels/provider.ts';
import { refText } from '../../src/channels/ref-text.ts';
import {
  openWhatsappCloud,
  type WhatsappCloudSettings,
} from '../../src/channels/whatsapp/cloud.ts';
import type { Phone } from '../../src/phone.ts';
import { CLOUD, codeTemplate, openCloudRig } from './provider-rigs.ts';
import { startParrot } from './rig/local-server.ts';
import {
  codeMessage,
  ignoreReports,
  LINK,
  linkMessage,
  newRef,
  PHONE,
  posted,
  QUIET,
  soon,
  until,
} from './rig/messages.ts';
import { testAnswers, testCallbacks, testRefusals } from './rig/tables.ts';
import { TOOLS } from './rig/tools.ts';

const SALE = marketingTemplate('https://zhiber.kz/s');
const NOT_NOW = refused('WhatsApp не разрешает отправить это сообщение сейчас');

describe('whatsapp-cloud: what goes over the wire', () => {
  test('a code travels in the authentication template, twice', async (t) => {
    const { provider, simulator } = await openCloudRig(t);
    const message = codeMessage();
    const outcome = await provider.send(message, soon());
    const [taken] = simulator.journal.taken();
    assert.deepEqual(outcome, { result: 'accepted', providerId: taken?.id });
    assert.deepEqual(taken?.details, {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: `+${PHONE}`,
      biz_opaque_callback_data: refText(message.ref),
      type: 'template',
      template: codeTemplate('482913'),
    });
    assert.equal(taken?.code, '482913');
  });

  test('the language of the template is that of the message, Russian for both', async (t) => {
    const { provider, simulator } = await openCloudRig(t);
    for (const language of ['ru', 'kk', 'both'] as const) {
      await provider.send(codeMessage({ language }), soon());
    }
    const languages = simulator.journal
      .taken()
      .map(({ details }) => (details as { template: { language: unknown } }).template.language);
    assert.deepEqual(languages, [{ code: 'ru' }, { code: 'kk' }, { code: 'ru' }]);
  });

  test('a link travels in the utility template, its end behind the button', async (t) => {
    const { provider, simulator } = await openCloudRig(t);
    const message = linkMessage({ text: `Заказ 17\nготов:\t${LINK}` });
    assert.equal((await provider.send(message, soon())).result, 'accepted');
    const [taken] = simulator.journal.taken();
    assert.deepEqual(taken?.details?.template, {
      name: 'link_notice',
      language: { code: 'ru' },
      components: [
        { type: 'body', parameters: [{ type: 'text', text: 'Заказ 17 готов' }] },
        {
          type: 'button',
          sub_type: 'url',
          index: '0',
          parameters: [{ type: 'text', text: 'Kd7mWq3x' }],
        },
      ],
    });
    assert.equal(taken?.text, `Сообщение: Заказ 17 готов. Откройте ссылку кнопкой ниже.\n${LINK}`);
  });

  const TEXTS: Record<string, [text: string, body: string]> = {
    'words after the link stay': [`Вот ${LINK} и ждём вас`, 'Вот и ждём вас'],
    'a link alone gets a word': [LINK, 'Ссылка'],
    'a link given twice goes once': [`${LINK} или ${LINK}`, 'или'],
  };
  for (const [name, [text, body]] of Object.entries(TEXTS)) {
    test(`${name}`, async (t) => {
      const { provider, simulator } = await openCloudRig(t);
      assert.equal((await provider.send(linkMessage({ text }), soon())).result, 'accepted');
      assert.match(simulator.journal.taken()[0]?.text ?? '', RegExp(`^Сообщение: ${body}\\. `));
    });
  }

  for (const content of ['text', 'code_with_link'] as const) {
    test(`${content} is free text while the window is open`, async (t) => {
      const { provider, simulator, open } = await openCloudRig(t);
      open.add(PHONE);
      await simulator.writeToBusiness(PHONE);
      const message = linkMessage({ content, text: `Код 482913 ${LINK}`, code: '482913' });
      assert.equal((await provider.send(message, soon())).result, 'accepted');
      assert.deepEqual(simulator.journal.taken()[0]?.details, {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: `+${PHONE}`,
        biz_opaque_callback_data: refText(message.ref),
        type: 'text',
        text: { preview_url: false, body: `Код 482913 ${LINK}` },
      });
    });
  }

  test('a code goes in the template in an open window too', async (t) => {
    const { provider, simulator, open } = await openCloudRig(t);
    open.add(PHONE);
    await provider.send(codeMessage(), soon());
    assert.equal(simulator.journal.taken()[0]?.details?.type, 'template');
  });

  test('a message that is held for its quality is accepted', async (t) => {
    const { provider, simulator } = await openCloudRig(t);
    simulator.plans.add({ does: 'accept', code: 'held_for_quality_assessment' });
    assert.equal((await provider.send(linkMessage(), soon())).result, 'accepted');
  });
});

describe('whatsapp-cloud: whom it reaches with what', () => {
  const REACH: [
    content: 'code' | 'text' | 'code_with_link',
    open: boolean,
    tpl: boolean,
    can: boolean,
  ][] = [
    ['code', false, false, true],
    ['code', true, true, true],
    ['text', false, false, false],
    ['text', false, true, true],
    ['text', true, false, true],
    ['code_with_link', false, true, false],
    ['code_with_link', true, false, true],
  ];
  for (const [content, isOpen, hasTemplate, can] of REACH) {
    const name = `${content}, window ${isOpen ? 'open' : 'closed'}, ${hasTemplate ? '' : 'no '}template`;
    test(`${name}: ${can ? 'yes' : 'no, and nothing is sent'}`, async (t) => {
      const settings = hasTemplate ? {} : { linkTemplate: undefined };
      const { provider, simulator, open } = await openCloudRig(t, { settings });
      if (isOpen) {
        open.add(PHONE);
        await simulator.writeToBusiness(PHONE);
      }
      assert.equal(await provider.canReach?.({ phone: PHONE }, content), can);
      const message = content === 'code' ? codeMessage() : linkMessage({ content, code: '482913' });
      const outcome = await provider.send(message, soon());
      if (can) assert.equal(outcome.result, 'accepted');
      else assert.deepEqual(outcome, NOT_NOW);
      assert.equal(
        simulator.journal.lines.filter(({ event }) => event !== 'receipt').length,
        can ? 1 : 0,
      );
    });
  }

  test('groups are not for it', async (t) => {
    const { provider } = await openCloudRig(t);
    assert.equal(await provider.canReach?.({ group: '120363000000000000@g.us' }, 'group'), false);
  });

  test('a code without a code, and a link without a link, are not sent', async (t) => {
    const { provider, simulator } = await openCloudRig(t);
    assert.deepEqual(await provider.send(codeMessage({ code: undefined }), soon()), NOT_NOW);
    assert.deepEqual(await provider.send(linkMessage({ link: undefined }), soon()), NOT_NOW);
    assert.deepEqual(simulator.journal.lines, []);
  });

  test('when nobody can say whether the window is open, nothing is sent', async (t) => {
    const isWindowOpen = () => Promise.reject(new Error('no database'));
    const { provider, simulator } = await openCloudRig(t, { isWindowOpen });
    assert.equal((await provider.send(linkMessage(), soon())).result, 'unavailable');
    assert.equal((await provider.send(codeMessage(), soon())).result, 'accepted');
    assert.equal(simulator.journal.taken().length, 1);
  });
});

describe('whatsapp-cloud: refusals', () => {
  /** Every code that the fact sheet names, by its result. */
  const CODES: Partial<Record<Outcome['result'], readonly number[]>> = {
    unavailable: [
      0, 190, 3, 10, 200, 250, 299, 131005, 4, 80007, 130429, 131048, 133016, 33, 133010, 131045,
      131042, 131057, 131031, 368,
    ],
    refused: [
      100, 131008, 131009, 131021, 131026, 131047, 131049, 131050, 131051, 130497, 131062, 130472,
      132000, 132012, 132001, 132005, 132007, 132015, 132016, 135000, 131056,
    ],
    unknown: [1, 2, 131000, 131016, 133004],
  };
  for (const [result, codes] of Object.entries(CODES)) {
    testRefusals(
      openCloudRig,
      codes.map((code) => [code, result as Outcome['result']] as const),
    );
  }
  testRefusals(openCloudRig, {
    190: unavailable('WhatsApp не принимает ключ доступа'),
    131042: unavailable('Не оплачен аккаунт WhatsApp'),
    131026: refused('У этого номера нет WhatsApp, или он не может принять сообщение'),
    132001: refused('Нет одобренного шаблона WhatsApp на этом языке'),
    139999: refused('WhatsApp отказал в отправке (код 139999)'),
  });

  test('a wrong token is named, and sends nothing', async (t) => {
    const { provider, simulator } = await openCloudRig(t, { settings: { token: 'another' } });
    const outcome = await provider.send(codeMessage(), soon());
    assert.deepEqual(outcome, unavailable('WhatsApp не принимает ключ доступа'));
    assert.deepEqual(simulator.journal.taken(), []);
  });

  const sent = { messages: [{ id: 'wamid.X' }] };
  testAnswers(openCloudRig, {
    'a message and the status 201': [201, sent, 'accepted'],
    'a message and the status 302': [302, sent, 'unknown'],
    'a message and the status 400': [400, sent, 'unknown'],
    'a message and the status 500': [500, sent, 'unknown'],
    'an error and the status 200': [200, { error: { code: 131026 } }, 'unknown'],
    'an empty id': [200, { messages: [{ id: '' }] }, 'unknown'],
    'an id that is a number': [200, { messages: [{ id: 7 }] }, 'unknown'],
    'a message that is null': [200, { messages: [null] }, 'unknown'],
    'messages that are no list': [200, { messages: {} }, 'unknown'],
    'an unknown error and the status 500': [500, { error: { code: 139999 } }, 'unknown'],
    'a code in a text': [400, { error: { code: '131026' } }, 'unknown'],
    'an error that is null': [400, { error: null }, 'unknown'],
    'HTML and the status 400': [400, '<html>', 'unknown'],
    'HTML and the status 403': [403, '<html>', 'unknown'],
    'an unknown error and the status 429': [429, { error: { code: 139999 } }, 'unavailable'],
  });
});

describe('whatsapp-cloud: broadcasts', () => {
  const chosen = { name: SALE.name, language: 'ru', variables: ['Айгүл', '20 %'] };
  const broadcast = (changes: Partial<OutgoingMessage> = {}) =>
    linkMessage({ content: 'broadcast', isBulk: true, template: chosen, ...changes });
  const openWith = (
    t: Parameters<typeof openCloudRig>[0],
    templates: NonNullable<WhatsappCloudOptions['templates']>,
    settings: Partial<WhatsappCloudSettings> = {},
  ) =>
    openCloudRig(t, {
      simulator: { templates: [...USUAL_TEMPLATES, ...templates] },
      settings: { linkBase: 'https://zhiber.kz/s', ...settings },
    });
  const carries = ({ carries: kinds }: { carries: ReadonlySet<ContentKind> }) =>
    kinds.has('broadcast');

  test('one goes in the marketing template, with its values and the end of its link', async (t) => {
    const { provider, simulator } = await openWith(t, [SALE]);
    const message = broadcast();
    assert.equal((await provider.send(message, soon())).result, 'accepted');
    const [taken] = simulator.journal.taken();
    assert.deepEqual(taken?.details, {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: `+${PHONE}`,
      biz_opaque_callback_data: refText(message.ref),
      type: 'template',
      template: {
        name: 'autumn_sale',
        language: { code: 'ru' },
        components: [
          {
            type: 'body',
            parameters: [
              { type: 'text', text: 'Айгүл' },
              { type: 'text', text: '20 %' },
            ],
          },
          {
            type: 'button',
            sub_type: 'url',
            index: '1',
            parameters: [{ type: 'text', text: 'Kd7mWq3x' }],
          },
        ],
      },
    });
    assert.equal(taken?.text, `Здравствуйте, Айгүл! Скидка 20 % до конца недели.\n${LINK}`);
  });

  test('a template without variables and buttons gets none', async (t) => {
    const plain = { ...SALE, name: 'plain', body: 'Мы открылись.', quickReplies: [] };
    delete (plain as { buttonUrl?: string }).buttonUrl;
    const { provider, simulator } = await openWith(t, [plain]);
    const template = { name: 'plain', language: 'ru', variables: [] };
    assert.equal((await provider.send(broadcast({ template }), soon())).result, 'accepted');
    assert.deepEqual(simulator.journal.taken()[0]?.details?.template, {
      name: 'plain',
      language: { code: 'ru' },
    });
  });

  test('line breaks and gaps in a value become spaces, as Meta wants', async (t) => {
    const { provider, simulator } = await openWith(t, [SALE]);
    const template = { ...chosen, variables: [' Айгүл\nи Болат ', '20\t     %'] };
    assert.equal((await provider.send(broadcast({ template }), soon())).result, 'accepted');
    assert.match(simulator.journal.taken()[0]?.text ?? '', /, Айгүл и Болат! Скидка 20 % до/);
  });

  const UNFIT: Record<string, Partial<OutgoingMessage>> = {
    'without a template': { template: undefined },
    'with a template that does not exist': { template: { ...chosen, name: 'winter_sale' } },
    'in a language that the template does not have': { template: { ...chosen, language: 'kk' } },
    'with too few values': { template: { ...chosen, variables: ['Айгүл'] } },
    'with an empty value': { template: { ...chosen, variables: ['Айгүл', ' '] } },
    'without the link that the button needs': { link: undefined },
    'to a group': { to: { group: '1@g.us' } },
  };
  for (const [name, changes] of Object.entries(UNFIT)) {
    test(`one ${name} is refused before anything leaves`, async (t) => {
      const { provider, simulator } = await openWith(t, [SALE]);
      assert.equal((await provider.send(broadcast(changes), soon())).result, 'refused');
      const calls = simulator.journal.lines.flatMap((line) => ('path' in line ? [line.path] : []));
      assert.ok(!calls.some((path) => path.endsWith('/messages')));
    });
  }

  test('when the list of templates cannot be read, the message can be sent later', async (t) => {
    const { provider, simulator } = await openWith(t, [SALE], { wabaId: '1' });
    assert.deepEqual(
      await provider.send(broadcast(), soon()),
      unavailable('Не удалось узнать, одобрен ли шаблон WhatsApp'),
    );
    assert.deepEqual(simulator.journal.taken(), []);
    await assert.rejects(provider.listTemplates?.(soon()) ?? Promise.resolve());
    assert.equal(carries(provider), true, 'it is not known that there is none');
  });

  test('the templates are listed from all pages, and read once in a while', async (t) => {
    const others = Array.from({ length: 120 }, (_, i) => ({ ...SALE, name: `sale_${i}` }));
    const { provider, simulator } = await openWith(t, others);
    const [first] = (await provider.listTemplates?.(soon())) ?? [];
    assert.deepEqual(first, {
      name: 'sale_0',
      language: 'ru',
      body: 'Здравствуйте, {{1}}! Скидка {{2}} до конца недели.',
      variables: 2,
      hasLink: true,
      linkButton: 1,
    });
    simulator.templates.length = 0;
    assert.equal((await provider.listTemplates?.(soon()))?.length, 120);
  });

  const UNUSABLE: Record<string, Parameters<typeof marketingTemplate>[1]> = {
    'that is not approved': { status: 'PENDING' },
    'that was paused': { status: 'PAUSED' },
    'of another category': { category: 'UTILITY' },
    'with a picture': { header: { format: 'IMAGE' } },
    'with a variable in its header': { header: { format: 'TEXT', text: 'Для {{1}}' } },
    'with named variables': { body: 'Здравствуйте, {{name}}!' },
    'with a gap in its variables': { body: 'Здравствуйте, {{1}} и {{3}}!' },
    'whose button leads elsewhere': { buttonUrl: 'https://other.kz/' },
  };
  for (const [name, changes] of Object.entries(UNUSABLE)) {
    test(`a template ${name} is not offered, and without others no broadcast is carried`, async (t) => {
      const { provider } = await openWith(t, [{ ...SALE, ...changes }]);
      assert.deepEqual(await provider.listTemplates?.(soon()), []);
      assert.equal(carries(provider), false);
    });
  }

  test('a header without a variable is no obstacle', async (t) => {
    const header = { format: 'TEXT', text: 'Осень' } as const;
    const { provider } = await openWith(t, [{ ...SALE, header }]);
    assert.equal((await provider.listTemplates?.(soon()))?.length, 1);
    assert.equal(carries(provider), true);
  });

  test('without the id of the account there are no templates and no broadcasts', async (t) => {
    const { provider } = await openWith(t, [SALE], { wabaId: undefined });
    assert.equal(provider.listTemplates, undefined);
    assert.equal(carries(provider), false);
    assert.equal((await provider.send(broadcast(), soon())).result, 'refused');
  });

  test('a started provider finds out by itself that nothing is approved', async (t) => {
    const { provider } = await openWith(t, []);
    assert.equal(carries(provider), true, 'not known yet');
    provider.start?.(ignoreReports);
    await until(() => !carries(provider));
  });

  test('somebody who stopped marketing messages is reported, and gets it by no other way', async (t) => {
    const { provider, simulator, stops } = await openWith(t, [SALE]);
    const message = broadcast({ to: { phone: '77010131050' as Phone } });
    assert.deepEqual(await provider.send(message, soon()), {
      result: 'refused',
      reason: 'Получатель отказался от рассылок',
      isUnsubscribed: true,
    });
    assert.deepEqual(stops, [{ ref: message.ref }]);
    assert.deepEqual(simulator.journal.taken(), []);
    assert.equal((await provider.send(codeMessage({ to: message.to }), soon())).result, 'accepted');
  });

  test('a refusal for another reason stops nobody', async (t) => {
    const { provider, simulator, stops } = await openWith(t, [SALE]);
    simulator.plans.add({ does: 'refuse', code: 131049, times: 1 });
    assert.deepEqual(
      await provider.send(broadcast(), soon()),
      refused('WhatsApp решил не доставлять это сообщение'),
    );
    assert.deepEqual(stops, []);
  });

  test('a stop word opens the window, and is confirmed in it', async (t) => {
    const { provider, simulator, desk } = await openWith(t, [SALE]);
    await simulator.writeToBusiness(PHONE, ' Стоп. ');
    assert.deepEqual(
      desk.contents.map(({ stops }) => stops),
      [[{ phone: PHONE }]],
    );
    assert.equal(desk.contacts().length, 1);
    await provider.confirmStop?.(PHONE, soon());
    const [taken] = simulator.journal.taken();
    assert.equal(taken?.to, PHONE);
    assert.match(taken.text, /Вы отписались от рассылки[\s\S]*таратудан бас тарттыңыз/);
  });
});

describe('whatsapp-cloud: the check of the set-up', () => {
  test('a good one names the sender', async (t) => {
    const { provider } = await openCloudRig(t);
    assert.deepEqual(await provider.check(soon()), {
      ok: true,
      detail:
        'Sends as "Zhiber", quality GREEN; all templates approved. ' +
        'No marketing template that can be filled is approved, so no broadcasts by WhatsApp.',
    });
  });

  test('a good one names the templates by which broadcasts go', async (t) => {
    const templates = [...USUAL_TEMPLATES, SALE, { ...SALE, language: 'kk' }];
    const { provider } = await openCloudRig(t, { simulator: { templates } });
    const { ok, detail } = await provider.check(soon());
    assert.equal(ok, true);
    assert.match(detail, / Broadcasts go by these marketing templates: autumn_sale\.$/);
  });

  test('without the id of the account the templates are not looked at', async (t) => {
    const { provider, simulator } = await openCloudRig(t, { settings: { wabaId: undefined } });
    simulator.templates.length = 0;
    assert.deepEqual(await provider.check(soon()), {
      ok: true,
      warning: true,
      detail: 'Sends as "Zhiber", quality GREEN; templates not checked.',
    });
  });

  const WRONG: Record<string, [settings: Partial<WhatsappCloudSettings>, detail: string]> = {
    'a wrong token': [{ token: 'another' }, 'Meta does not accept the access token.'],
    'a wrong number': [
      { phoneNumberId: '1' },
      'Meta does not know this id, or the token may not use it.',
    ],
    'a wrong account': [
      { wabaId: '1' },
      'Meta does not know this id, or the token may not use it.',
    ],
    'a wrong version': [{ version: 'v1.0' }, 'Meta answered with error 2500.'],
    'no code template': [{ codeTemplate: 'otp' }, 'The template "otp" in ru does not exist.'],
    'a code template of the wrong category': [
      { codeTemplate: 'link_notice' },
      'The template "link_notice" in ru is UTILITY, not AUTHENTICATION.',
    ],
    'a link template of the wrong category': [
      { linkTemplate: 'otp_code' },
      'The template "otp_code" in ru is AUTHENTICATION, not UTILITY.',
    ],
    'a link template that leads elsewhere': [
      { linkBase: 'https://zhbr.kz' },
      'The template "link_notice" in ru leads to https://zhiber.kz/s/{{1}}, not to https://zhbr.kz/{{1}}.',
    ],
  };
  for (const [name, [settings, detail]] of Object.entries(WRONG)) {
    test(`${name}`, async (t) => {
      const { provider } = await openCloudRig(t, { settings });
      assert.deepEqual(await provider.check(soon()), { ok: false, detail });
    });
  }

  for (const name of ['otp_code', 'link_notice']) {
    test(`${name} without its button`, async (t) => {
      const { provider, simulator } = await openCloudRig(t);
      for (const template of simulator.templates) {
        if (template.name === name && template.language === 'kk') delete template.buttonUrl;
      }
      assert.deepEqual(await provider.check(soon()), {
        ok: false,
        detail: `The template "${name}" in kk has no URL button in the first place.`,
      });
    });
  }

  test('a link template that leads to the short links is good', async (t) => {
    const { provider } = await openCloudRig(t, { settings: { linkBase: 'https://zhiber.kz/s' } });
    assert.equal((await provider.check(soon())).ok, true);
  });

  test('buttons that Meta does not tell of, or calls by their purpose, are let pass', async (t) => {
    const templates = ['ru', 'kk'].map((language) => {
      return { name: 'otp_code', language, status: 'APPROVED', category: 'AUTHENTICATION' };
    });
    const buttons = [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Копировать код' }];
    for (const components of [undefined, [{ type: 'BUTTONS', buttons }]]) {
      const data = templates.map((template) => ({ ...template, components }));
      const number = { verified_name: 'Zhiber', quality_rating: 'GREEN' };
      const { url } = await startParrot(t, { status: 200, body: { ...number, data } });
      const { provider } = await openCloudRig(t, { settings: { url, linkTemplate: undefined } });
      assert.equal((await provider.check(soon())).ok, true);
    }
  });

  test('a template that is missing in one language, or not approved in it', async (t) => {
    const { provider, simulator } = await openCloudRig(t);
    const template = simulator.templates.find(
      ({ name, language }) => name === 'otp_code' && language === 'kk',
    );
    assert.ok(template);
    template.status = 'PENDING';
    assert.deepEqual(await provider.check(soon()), {
      ok: false,
      detail: 'The template "otp_code" in kk is PENDING, not APPROVED.',
    });
    template.language = 'en';
    assert.deepEqual(await provider.check(soon()), {
      ok: false,
      detail: 'The template "otp_code" in kk does not exist.',
    });
  });
});

const NOW = new Date('2026-11-15T12:00:00Z');
const NOW_SECONDS = String(NOW.getTime() / 1_000);
const NOTHING: CallbackContent = { reports: [], contacts: [] };

/** Reads callbacks alone; it never calls anybody. */
function openReader(settings: Partial<WhatsappCloudSettings> = {}) {
  const clock = { now: () => NOW };
  const all = { ...CLOUD, codeTemplate: 'otp_code', ...settings };
  return openWhatsappCloud(all, { ...TOOLS, clock }, { isWindowOpen: async () => false });
}

function sign(body: string | Buffer, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

function signedWith(body: string | Buffer, signature: string): CallbackRequest {
  return posted(body, { 'x-hub-signature-256': signature });
}

/** As Meta signs it. */
function signed(body: string | Buffer): CallbackRequest {
  return signedWith(body, sign(body, CLOUD.appSecret));
}

function event(news: object, phoneNumberId = CLOUD.phoneNumberId, field = 'messages') {
  const metadata = { display_phone_number: '77000000000', phone_number_id: phoneNumberId };
  const value = { messaging_product: 'whatsapp', metadata, ...news };
  const entry = [{ id: CLOUD.wabaId, changes: [{ value, field }] }];
  return signed(JSON.stringify({ object: 'whatsapp_business_account', entry }));
}

describe('whatsapp-cloud: stop words', () => {
  const written = (changes: object) =>
    event({
      messages: [{ from: PHONE, id: 'wamid.in', timestamp: '0', type: 'text', ...changes }],
    });
  const STOPPED: CallbackContent = { reports: [], contacts: [], stops: [{ phone: PHONE }] };
  testCallbacks(openReader, {
    'that are typed': [written({ text: { body: 'STOP' } }), STOPPED],
    'on a button of the template': [
      written({ type: 'button', button: { text: 'СТОП', payload: 'x' } }),
      STOPPED,
    ],
    'among other words': [written({ text: { body: 'Не стоп' } }), NOTHING],
    'in a group': [written({ text: { body: 'STOP' }, group_id: 'g' }), NOTHING],
    'in a notice of the system': [written({ type: 'system', text: { body: 'STOP' } }), NOTHING],
    'from no phone': [written({ from: 'KZ.1234', text: { body: 'STOP' } }), NOTHING],
  });
});

describe('whatsapp-cloud: who may report', () => {
  const EMPTY = '{"object":"whatsapp_business_account","entry":[]}';
  const VECTOR = 'sha256=523505d20f6a97026a425949264490ca97eab5d4ba6cd6a0f56f7557599d7f7b';
  testCallbacks(() => openReader({ appSecret: 'app_secret_test' }), {
    'with a known signature': [signedWith(EMPTY, VECTOR), NOTHING],
    'without a signature': [posted(EMPTY), undefined],
    'signed with another secret': [signedWith(EMPTY, sign(EMPTY, 'another')), undefined],
    'with another bit in the signature': [signedWith(EMPTY, VECTOR.replace(/b$/, 'a')), undefined],
    'with another bit in the body': [
      signedWith(EMPTY.replace('entry', 'entrx'), VECTOR),
      undefined,
    ],
    'with one space more': [signedWith(`${EMPTY} `, VECTOR), undefined],
    'with a shorter signature': [signedWith(EMPTY, VECTOR.slice(0, -1)), undefined],
    'with the older kind of signature': [signedWith(EMPTY, `sha1=${'0'.repeat(40)}`), undefined],
  });

  testCallbacks(() => openReader({ appSecret: '' }), {
    'signed with nothing, where there is no secret': [
      signedWith(EMPTY, sign(EMPTY, '')),
      undefined,
    ],
  });

  const bytes = Buffer.concat([
    Buffer.from('{"entry":[],"odd":"'),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('"}'),
  ]);
  testCallbacks(openReader, { 'signed over bytes that are no text': [signed(bytes), NOTHING] });
});

describe('whatsapp-cloud: what is reported', () => {
  const ref = newRef();
  const status = (changes: object) => ({
    id: 'wamid.X',
    timestamp: NOW_SECONDS,
    recipient_id: PHONE,
    biz_opaque_callback_data: refText(ref),
    ...changes,
  });
  const read = status({ status: 'read' });
  const reported = (changes: object) => event({ statuses: [status(changes)] });
  const content = (receipt: 'delivered' | 'read'): CallbackContent => ({
    reports: [{ ref, receipt }],
    contacts: [],
  });
  const failed = (errors: unknown, reason: string) =>
    [
      reported({ status: 'failed', errors }),
      { reports: [{ ref, receipt: 'failed', reason }], contacts: [] },
    ] as const;
  const unnamed = { providerId: 'wamid.X', phone: PHONE };
  const foreign = (data: unknown) =>
    [
      reported({ status: 'read', biz_opaque_callback_data: data }),
      { ...NOTHING, unnamed: [{ ...unnamed, receipt: 'read' }] },
    ] as const;
  const foreignFailure = (code: number, changes: object = {}) =>
    reported({
      status: 'failed',
      errors: [{ code }],
      biz_opaque_callback_data: undefined,
      ...changes,
    });

  testCallbacks(openReader, {
    'of delivered': [reported({ status: 'delivered' }), content('delivered')],
    'of read': [reported({ status: 'read' }), content('read')],

    'of a failure with 131026': failed(
      [{ code: 131026 }],
      'У этого номера нет WhatsApp, или он не может принять сообщение',
    ),
    'of a failure with 131050': [
      reported({ status: 'failed', errors: [{ code: 131050 }] }),
      {
        reports: [{ ref, receipt: 'failed', reason: 'Получатель отказался от рассылок' }],
        contacts: [],
        stops: [{ ref }],
      },
    ],
    'of a delivery that mentions 131050': [
      reported({ status: 'delivered', errors: [{ code: 131050 }] }),
      content('delivered'),
    ],
    'of a failure with 131049': failed(
      [{ code: 131049 }],
      'WhatsApp решил не доставлять это сообщение',
    ),
    'of a failure with 131047': failed(
      [{ code: 131047 }],
      'Получатель не писал компании последние 24 часа',
    ),
    'of a failure with 132015': failed(
      [{ code: 132015 }],
      'Шаблон сообщения WhatsApp приостановлен',
    ),
    'of a failure with an unknown code': failed(
      [{ code: 139999 }],
      'WhatsApp не доставил сообщение (код 139999)',
    ),
    'of a failure with an odd code': failed([{ code: 'odd' }], 'WhatsApp не доставил сообщение'),
    'of a failure with null': failed([null], 'WhatsApp не доставил сообщение'),
    'of a failure without errors': failed(undefined, 'WhatsApp не доставил сообщение'),

    'without a reference': foreign(undefined),
    'with a reference of somebody else': foreign('dlv_01J9'),
    'with a reference that is a number': foreign(7),
    'with an empty reference': foreign(''),
    'of a failure without a reference': [
      foreignFailure(131026),
      {
        ...NOTHING,
        unnamed: [
          {
            ...unnamed,
            receipt: 'failed',
            reason: 'У этого номера нет WhatsApp, или он не может принять сообщение',
          },
        ],
      },
    ],
    'of a failure with 131050 without a reference': [
      foreignFailure(131050),
      {
        ...NOTHING,
        unnamed: [
          {
            ...unnamed,
            receipt: 'failed',
            reason: 'Получатель отказался от рассылок',
            isUnsubscribed: true,
          },
        ],
      },
    ],
    'without a reference and a phone': [
      foreignFailure(131026, { recipient_id: undefined }),
      NOTHING,
    ],
    'without a reference and an id': [foreignFailure(131026, { id: 7 }), NOTHING],
    'of sent without a reference': [
      reported({ status: 'sent', biz_opaque_callback_data: undefined }),
      NOTHING,
    ],

    'of sent': [reported({ status: 'sent' }), NOTHING],
    'of played': [reported({ status: 'played' }), NOTHING],
    'of a status of the future': [reported({ status: 'teleported' }), NOTHING],
    'of the status constructor': [reported({ status: 'constructor' }), NOTHING],
    'of another number of the same app': [event({ statuses: [read] }, '42'), NOTHING],
    'of another field': [event({ statuses: [read] }, CLOUD.phoneNumberId, 'calls'), NOTHING],
    'of a status that names nothing': [event({ statuses: [{ status: 'read' }] }), NOTHING],
    'that is no JSON': [signed('{"entry":'), NOTHING],
    'that is empty': [signed(''), NOTHING],
    'that is an array': [signed('[]'), NOTHING],
    'that is null': [signed('null'), NOTHING],
    'with odd types everywhere': [
      signed(JSON.stringify({ entry: [null, 7, { changes: 'x' }, { changes: [null] }] })),
      NOTHING,
    ],
    'with a value that is no object': [
      signed(JSON.stringify({ entry: [{ changes: [{ field: 'messages', value: 7 }] }] })),
      NOTHING,
    ],
    'with statuses that are no objects': [
      event({ statuses: [null, 'read', []], messages: [null, 3] }),
      NOTHING,
    ],
  });

  test('a thousand in one call, each with its own message', () => {
    const refs = Array.from({ length: 1_000 }, newRef);
    const statuses = refs.map((each) =>
      status({ status: 'delivered', biz_opaque_callback_data: refText(each) }),
    );
    assert.deepEqual(
      openReader().readCallback?.(event({ statuses }))?.reports,
      refs.map((each) => ({ ref: each, receipt: 'delivered' })),
    );
  });

  test('many in one call, over a real socket', async (t) => {
    const { provider, simulator, desk } = await openCloudRig(t);
    simulator.plans.add(QUIET);
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
});

describe('whatsapp-cloud: people who write', () => {
  const message = (changes: object) => ({
    from: PHONE,
    id: 'wamid.in',
    timestamp: NOW_SECONDS,
    type: 'text',
    text: { body: 'Здравствуйте' },
    ...changes,
  });
  const written = (...changes: object[]) => event({ messages: changes.map(message) });
  const opened = (...openedAt: Date[]): CallbackContent => ({
    reports: [],
    contacts: openedAt.map((at) => ({ kind: 'whatsapp_window', phone: PHONE, openedAt: at })),
  });
  const hourAgo = new Date(NOW.getTime() - 3_600_000);
  const secondsOf = (at: Date) => String(at.getTime() / 1_000);
  const tomorrow = new Date(NOW.getTime() + 86_400_000);

  testCallbacks(openReader, {
    'of somebody who wrote an hour ago': [
      written({ timestamp: secondsOf(hourAgo) }),
      opened(hourAgo),
    ],
    // The window opens now at the latest, whatever the clock of Meta says.
    'of somebody who wrote tomorrow': [written({ timestamp: secondsOf(tomorrow) }), opened(NOW)],
    'of a button and a picture': [written({ type: 'button' }, { type: 'image' }), opened(NOW, NOW)],
    'of a notice of WhatsApp': [written({ type: 'system' }), NOTHING],
    'of a word in a group': [written({ group_id: 'G1' }), NOTHING],
    'of somebody without a phone': [written({ from: undefined, from_user_id: 'KZ.1349' }), NOTHING],
    'of a phone that is none': [written({ from: 'KZ.1349' }), NOTHING],
    'of a message without a time': [written({ timestamp: undefined }), NOTHING],
    'of a message whose time is none': [written({ timestamp: 'yesterday' }), NOTHING],
  });

  test('can be written to', async (t) => {
    const { provider, simulator, desk, open } = await openCloudRig(t);
    assert.equal(await provider.canReach?.({ phone: PHONE }, 'code_with_link'), false);
    assert.equal(await simulator.writeToBusiness(PHONE), 200);
    const [contact] = desk.contacts();
    assert.ok(contact?.kind === 'whatsapp_window');
    open.add(contact.phone);
    assert.equal(await provider.canReach?.({ phone: PHONE }, 'code_with_link'), true);
  });
});

describe('whatsapp-cloud: the handshake', () => {
  const ask = (changes: Record<string, string> = {}): CallbackRequest => ({
    ...posted(''),
    method: 'GET',
    query: {
      'hub.mode': 'subscribe',
      'hub.challenge': '1158201444',
      'hub.verify_token': CLOUD.verifyToken,
      ...changes,
    },
  });
  testCallbacks(openReader, {
    'with the right word': [
      ask(),
      { reports: [], answer: { contentType: 'text/plain', body: '1158201444' } },
    ],
    'with another word': [ask({ 'hub.verify_token': 'another' }), undefined],
    'with an empty word': [ask({ 'hub.verify_token': '' }), undefined],
    'with another mode': [ask({ 'hub.mode': 'unsubscribe' }), undefined],
  });
  testCallbacks(() => openReader({ verifyToken: '' }), {
    'with an empty word, where none is set': [ask({ 'hub.verify_token': '' }), undefined],
  });

  test('lets the address be entered with the right word alone', async (t) => {
    const right = await openCloudRig(t);
    assert.equal(await right.simulator.subscribe(), true);
    const wrong = await openCloudRig(t, { simulator: { verifyToken: 'another' } });
    assert.equal(await wrong.simulator.subscribe(), false);
  });
});
