import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { refText } from '../../src/channels/ref-text.ts';
import type { WhatsappCloudSettings } from '../../src/channels/whatsapp/cloud.ts';
import { startParrot } from './rig/local-server.ts';
import { codeMessage, LINK, linkMessage, PHONE, soon } from './rig/messages.ts';
import { codeTemplate, openCloudRig, SECRETS } from './whatsapp-cloud-rig.ts';

const NOT_NOW = {
  result: 'refused',
  reason: 'WhatsApp не разрешает отправить это сообщение сейчас',
};

describe('what goes over the wire', () => {
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

  for (const load of ['text', 'code_with_link'] as const) {
    test(`${load} is free text while the window is open`, async (t) => {
      const { provider, simulator, open } = await openCloudRig(t);
      open.add(PHONE);
      await simulator.writeToBusiness(PHONE);
      const message = linkMessage({ load, text: `Код 482913 ${LINK}`, code: '482913' });
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

describe('whom it reaches with what', () => {
  const REACH: [
    load: 'code' | 'text' | 'code_with_link',
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
  for (const [load, isOpen, hasTemplate, can] of REACH) {
    const name = `${load}, window ${isOpen ? 'open' : 'closed'}, ${hasTemplate ? '' : 'no '}template`;
    test(`${name}: ${can ? 'yes' : 'no, and nothing is sent'}`, async (t) => {
      const settings = hasTemplate ? {} : { linkTemplate: undefined };
      const { provider, simulator, open } = await openCloudRig(t, { settings });
      if (isOpen) {
        open.add(PHONE);
        await simulator.writeToBusiness(PHONE);
      }
      assert.equal(await provider.canReach?.({ phone: PHONE }, load), can);
      const message = load === 'code' ? codeMessage() : linkMessage({ load, code: '482913' });
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
    const { provider, simulator } = await openCloudRig(t);
    assert.equal(provider.carries.has('group'), false);
    const to = { group: '120363000000000000@g.us' };
    assert.equal(await provider.canReach?.(to, 'group'), false);
    assert.deepEqual(await provider.send(codeMessage({ to, load: 'group' }), soon()), NOT_NOW);
    assert.deepEqual(simulator.journal.lines, []);
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

describe('the check of the set-up', () => {
  test('a good one names the sender', async (t) => {
    const { provider } = await openCloudRig(t);
    assert.deepEqual(await provider.check(soon()), {
      ok: true,
      detail: 'Sends as "Zhiber", quality GREEN; all templates approved.',
    });
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
      'Meta knows no such id, or the token may not use it.',
    ],
    'a wrong account': [{ wabaId: '1' }, 'Meta knows no such id, or the token may not use it.'],
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
    'nobody there': [{ url: 'http://127.0.0.1:1' }, 'Meta could not be reached (ECONNREFUSED).'],
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
      const { url } = await startParrot(t, 200, { ...number, data });
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

  test('it sends nothing, and does not tell the credentials', async (t) => {
    const details: string[] = [];
    for (const settings of [{}, { token: `${SECRETS.token}x` }, { phoneNumberId: '1' }]) {
      const { provider, simulator } = await openCloudRig(t, { settings });
      details.push(JSON.stringify(await provider.check(soon())));
      assert.deepEqual(simulator.journal.taken(), []);
    }
    for (const secret of Object.values(SECRETS)) assert.ok(!details.join().includes(secret));
  });
});
