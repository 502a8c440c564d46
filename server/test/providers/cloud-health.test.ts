import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, type TestContext, test } from 'node:test';
import { openWhatsappCloud } from '../../src/channels/whatsapp/cloud.ts';
import { openCloudHealth } from '../../src/channels/whatsapp/cloud-health.ts';
import { CLOUD, openCloudRig } from './provider-rigs.ts';
import { codeMessage, posted, soon, until } from './rig/messages.ts';
import { logged, TOOLS } from './rig/tools.ts';

const FINE = 'No trouble with templates or the account is known.';

/** A started provider whose webhooks come to it. */
async function start(t: TestContext, changes: Parameters<typeof openCloudRig>[1] = {}) {
  const rig = await openCloudRig(t, changes);
  const { provider, simulator } = rig;
  provider.start?.(async () => ({ isMatched: true }));
  const state = () => {
    const { isUp, detail } = provider.state?.() ?? {};
    return [isUp, detail];
  };
  const statusNews = (event: string, more: object = {}) =>
    simulator.notify('message_template_status_update', {
      event,
      message_template_id: 7,
      message_template_name: 'otp_code',
      message_template_language: 'ru',
      reason: 'NONE',
      ...more,
    });
  const quality = (new_quality_score: string, message_template_name = 'otp_code') =>
    simulator.notify('message_template_quality_update', {
      previous_quality_score: 'GREEN',
      new_quality_score,
      message_template_id: 7,
      message_template_name,
      message_template_language: 'ru',
    });
  const warnings = () =>
    logged.filter(({ msg, why }) => msg === 'Meta warns' && why !== undefined).length;
  return { ...rig, state, statusNews, quality, warnings };
}

describe('whatsapp-cloud: news of a template for codes', () => {
  test('is down while one cannot be used, and up again with its return', async (t) => {
    const { simulator, state, provider } = await start(t);
    assert.deepEqual(state(), [true, FINE]);
    await simulator.setTemplate('otp_code', 'PAUSED');
    const [ru, kk] = ['ru', 'kk'].map((one) => `The template "otp_code" in ${one} is PAUSED.`);
    assert.deepEqual(state(), [false, `${ru} ${kk}`]);
    // Each send is answered by Meta, so nothing is held back here.
    assert.deepEqual(await provider.send(codeMessage(), soon()), {
      result: 'refused',
      reason: 'Шаблон сообщения WhatsApp приостановлен',
    });
    await simulator.setTemplate('otp_code', 'APPROVED');
    assert.deepEqual(state(), [true, FINE]);
  });

  for (const event of ['PAUSED', 'DISABLED', 'REJECTED', 'PENDING', 'DELETED', 'ARCHIVED']) {
    test(`is down when one is ${event}, with the words of Meta`, async (t) => {
      const { state, statusNews } = await start(t);
      const other_info = { title: 'FIRST_PAUSE', description: 'Paused for 3 hours.' };
      await statusNews(event, { other_info });
      assert.deepEqual(state(), [
        false,
        `The template "otp_code" in ru is ${event}: Paused for 3 hours.`,
      ]);
      await statusNews('REINSTATED');
      assert.deepEqual(state(), [true, FINE]);
    });
  }

  test('is up, with a warning, when it is flagged or its quality falls', async (t) => {
    const { state, statusNews, quality, provider, warnings } = await start(t);
    const before = warnings();
    await statusNews('FLAGGED');
    await quality('RED');
    const trouble =
      'The template "otp_code" in ru is FLAGGED. The quality of the template "otp_code" in ru is RED.';
    assert.deepEqual(state(), [true, trouble]);
    assert.equal(warnings(), before + 2);
    await quality('RED');
    assert.equal(warnings(), before + 2, 'the same is told once');
    const check = await provider.check(soon());
    assert.deepEqual([check.ok, check.warning], [true, true]);
    assert.ok(check.detail.endsWith(trouble));
    await quality('GREEN');
    await statusNews('APPROVED');
    assert.deepEqual(state(), [true, FINE]);
  });

  test('that is older than what is known is not believed', async (t) => {
    const { provider, state, statusNews } = await start(t);
    await statusNews('APPROVED');
    const value = {
      event: 'PAUSED',
      message_template_name: 'otp_code',
      message_template_language: 'ru',
    };
    const hear = (time: number) => {
      const changes = [{ field: 'message_template_status_update', value }];
      const body = JSON.stringify({ entry: [{ id: CLOUD.wabaId, time, changes }] });
      const signature = createHmac('sha256', CLOUD.appSecret).update(body).digest('hex');
      const headers = { 'x-hub-signature-256': `sha256=${signature}` };
      assert.deepEqual(provider.readCallback?.(posted(body, headers)), {
        reports: [],
        contacts: [],
      });
    };
    const now = Math.floor(Date.now() / 1_000);
    hear(now - 600);
    assert.deepEqual(state(), [true, FINE]);
    hear(now + 1);
    assert.equal(state()[0], false);
  });
});

describe('whatsapp-cloud: other news', () => {
  test('of the template for links is a warning', async (t) => {
    const { simulator, state } = await start(t);
    await simulator.setTemplate('link_notice', 'DISABLED');
    const [ru, kk] = ['ru', 'kk'].map((one) => `The template "link_notice" in ${one} is DISABLED.`);
    assert.deepEqual(state(), [true, `${ru} ${kk}`]);
  });

  test('of a template for broadcasts is in the log alone', async (t) => {
    const { state, statusNews, quality, warnings } = await start(t);
    const before = warnings();
    await statusNews('PAUSED', { message_template_name: 'autumn_sale' });
    await quality('YELLOW', 'autumn_sale');
    assert.deepEqual(state(), [true, FINE]);
    assert.equal(warnings(), before + 2);
  });

  const ACCOUNT: readonly (readonly [value: object, state: readonly [boolean, string]])[] = [
    [
      { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE', waba_ban_date: 'x' } },
      [false, 'Meta reports the account: DISABLED_UPDATE (DISABLE).'],
    ],
    [
      { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'SCHEDULE_FOR_DISABLE' } },
      [true, 'Meta reports the account: DISABLED_UPDATE (SCHEDULE_FOR_DISABLE).'],
    ],
    [{ event: 'ACCOUNT_DELETED' }, [false, 'Meta reports the account: ACCOUNT_DELETED.']],
    [
      {
        event: 'ACCOUNT_RESTRICTION',
        restriction_info: [
          { restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration: '2026-12-01' },
        ],
      },
      [
        true,
        'Meta reports the account: ACCOUNT_RESTRICTION (RESTRICTED_BIZ_INITIATED_MESSAGING until 2026-12-01).',
      ],
    ],
    [
      { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'SPAM' } },
      [true, 'Meta reports the account: ACCOUNT_VIOLATION (SPAM).'],
    ],
    [{ event: 'PARTNER_ADDED', waba_info: {} }, [true, FINE]],
  ];
  for (const [value, expected] of ACCOUNT) {
    test(`of the account: ${expected[1]}`, async (t) => {
      const { simulator, state } = await start(t);
      await simulator.notify('account_update', value);
      assert.deepEqual(state(), expected);
      await simulator.notify('account_update', {
        event: 'DISABLED_UPDATE',
        ban_info: { waba_ban_state: 'REINSTATE' },
      });
      assert.deepEqual(state(), [true, FINE]);
    });
  }

  test('of the number is a warning', async (t) => {
    const { simulator, state } = await start(t);
    const field = 'phone_number_quality_update';
    await simulator.notify(field, { display_phone_number: '77000000000', event: 'FLAGGED' });
    assert.deepEqual(state(), [true, 'Meta reports the sending number: FLAGGED.']);
    await simulator.notify(field, { display_phone_number: '77000000000', event: 'UNFLAGGED' });
    assert.deepEqual(state(), [true, FINE]);
  });

  test('of another account that the same app serves is not ours', async (t) => {
    const { state, statusNews } = await start(t, { simulator: { wabaId: '999' } });
    await statusNews('DISABLED');
    assert.deepEqual(state(), [true, FINE]);
  });

  test('that is malformed changes nothing', async (t) => {
    const { simulator, state } = await start(t);
    for (const value of [{}, { event: 7 }, { message_template_name: null, event: 'PAUSED' }]) {
      await simulator.notify('message_template_status_update', value);
      await simulator.notify('account_update', value);
    }
    await simulator.notify('something_new', { event: 'DISABLED' });
    assert.deepEqual(state(), [true, FINE]);
  });
});

describe('whatsapp-cloud: templates that nobody has told of', () => {
  test('are found in the list, which every node reads', async (t) => {
    const { simulator, state, provider } = await openTold(t);
    provider.start?.(async () => ({ isMatched: true }));
    await until(() => state()[0] === false);
    assert.deepEqual(state(), [false, 'The template "otp_code" in kk is DISABLED.']);
    assert.equal(simulator.journal.taken().length, 0);
  });

  test('do not stand against a webhook that came during the reading', () => {
    let seconds = 100;
    const clock = { now: () => new Date(seconds * 1_000) };
    const health = openCloudHealth(
      { ...TOOLS, clock, name: 'cloud' },
      { codeTemplate: 'otp_code' },
    );
    const approved = [{ name: 'otp_code', language: 'ru', status: 'APPROVED' }];
    const value = {
      event: 'PAUSED',
      message_template_name: 'otp_code',
      message_template_language: 'ru',
    };
    const end = health.learn();
    health.hear('message_template_status_update', value, 101);
    end(approved);
    assert.equal(health.state().isUp, false);
    seconds = 200;
    health.learn()(approved);
    assert.equal(health.state().isUp, true);
  });

  test('are not looked at without the id of the account', async (t) => {
    const { codeTemplate, ...settings } = { ...CLOUD, codeTemplate: 'otp_code' };
    const provider = openWhatsappCloud({ ...settings, codeTemplate, wabaId: undefined }, TOOLS, {
      isWindowOpen: async () => false,
    });
    t.after(() => provider.stop?.());
    provider.start?.(async () => ({ isMatched: true }));
    assert.equal(provider.state?.().detail, FINE);
  });
});

/** A template was disabled while the service was away. */
async function openTold(t: TestContext) {
  const rig = await openCloudRig(t);
  const disabled = rig.simulator.templates.find(
    ({ name, language }) => name === 'otp_code' && language === 'kk',
  );
  assert.ok(disabled);
  disabled.status = 'DISABLED';
  const state = () => [rig.provider.state?.().isUp, rig.provider.state?.().detail];
  return { ...rig, state };
}
