/** Which numbers can be reached by SMS, by messenger or not at all. SMS goes to mobile numbers of Kazakhstan. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { ENDPOINTS } from '@zhiber/contract/api/endpoints.ts';
import { type ApiAnswer, type TestKey, useService } from '../harness.ts';

const service = useService();

const SMS_AND_MESSENGER: Record<string, string> = {
  '+77011234567': 'Kcell',
  '+77021234567': 'Beeline',
  '+77051234567': 'Beeline',
  '+77471234567': 'Tele2',
  '+77751234567': 'Kcell',
  '+77771234567': 'Beeline',
  '+77001234567': 'Altel',
  '+77081234567': 'Altel',
  '+77641234567': '2Day Telecom',
};

const NO_SMS_IN_KAZAKHSTAN: Record<string, string> = {
  '+77172123456': 'a landline of Astana',
  '+77272501234': 'a landline of Almaty',
  '+77511234567': 'an internet telephony number',
  '+76001234567': 'an unassigned range',
  '+76991234567': 'the end of that range',
  '+77991234567': 'an unassigned range beside the mobile ones',
};

const MESSENGER_ONLY: Record<string, string> = {
  '+79161234567': 'Russia',
  '+79991234567': 'Russia, the end of its mobile range',
  '+79001234567': 'Russia, the beginning of it',
  '+74951234567': 'Moscow',
  '+78121234567': 'Saint Petersburg',
  '+73431234567': 'Yekaterinburg',
  '+78001234567': 'toll-free in Russia',
  '+79401234567': 'Abkhazia',
  '+72001234567': 'an unassigned range of Russia',
  '+996555123456': 'Kyrgyzstan',
  '+998901234567': 'Uzbekistan',
  '+992917123456': 'Tajikistan',
  '+99366123456': 'Turkmenistan',
  '+905321234567': 'Turkey',
  '+491701234567': 'Germany',
  '+447400123456': 'Great Britain',
  '+33612345678': 'France',
  '+393331234567': 'Italy',
  '+380501234567': 'Ukraine',
  '+8613912345678': 'China',
  '+919812345678': 'India',
  '+12025550123': 'the United States',
  '+18765550123': 'Jamaica, which shares the code 1',
  '+18095550123': 'the Dominican Republic, which does too',
};

const BLOCKED: Record<string, string> = {
  '+78091234567': 'premium, under the code 7',
  '+78031234567': 'premium, under the code 7',
  '+19005550123': 'premium in North America',
  '+449091234567': 'premium in Great Britain',
  '+449831234567': 'premium in Great Britain',
  '+448711234567': 'premium in Great Britain',
  '+33899123456': 'premium in France',
  '+39899123456': 'premium in Italy',
  '+34803123456': 'premium in Spain',
  '+48701234567': 'premium in Poland',
  '+37190012345': 'premium in Latvia',
  '+909001234567': 'premium in Turkey',
  '+41901123456': 'premium in Switzerland',
  '+420900123456': 'premium in Czechia',
  '+81990123456': 'premium in Japan',
  '+6519001234567': 'premium in Singapore',
  '+611900123456': 'premium in Australia',
  '+33810123456': 'shared cost in France',
  '+39848123456': 'shared cost in Italy',
  '+34902123456': 'shared cost in Spain',
  '+4918012345': 'shared cost in Germany',
  '+611300123456': 'shared cost in Australia',
  '+80812345678': 'international shared cost',
  '+979123456789': 'international premium',
  '+870773123456': 'Inmarsat',
  '+881612345678': 'Iridium',
  '+8816234567890': 'Iridium',
  '+8821312345678': 'a satellite network',
  '+883510012345': 'an international network',
  '+878101234567890': 'an international personal number',
};

const SEND_BODIES: Record<string, (phone: string, channel: string) => object> = {
  '/otp/send': (phone, channel) => ({ phone, channel }),
  '/links/send': (phone, channel) => ({ phone, channel, url: 'https://shop.kz' }),
};

test('the tests cover every endpoint that sends to a phone', () => {
  const sending = Object.values(ENDPOINTS).filter(
    ({ body, errors }: { body?: { properties?: object }; errors: readonly string[] }) =>
      errors.includes('delivery_failed') && 'phone' in (body?.properties ?? {}),
  );
  assert.deepEqual(
    sending.map(({ path }) => path),
    Object.keys(SEND_BODIES),
  );
});

/** Sends to this number and channel by every endpoint, one minute after the previous sends. */
async function sendByAll(key: TestKey, phone: string, channel: string): Promise<ApiAnswer[]> {
  await service.passTime(61);
  const answers: ApiAnswer[] = [];
  for (const [path, createBody] of Object.entries(SEND_BODIES)) {
    answers.push(await service.call(path, createBody(phone, channel), key));
  }
  return answers;
}

const summarize = (answers: ApiAnswer[]) =>
  answers.map(({ status, body }) => `${status} ${body.error_code ?? body.channel}`);
const twice = (text: string) => [text, text];

describe('reachable by SMS and by messenger', () => {
  for (const [phone, what] of Object.entries(SMS_AND_MESSENGER)) {
    test(`${phone}: ${what}`, async () => {
      const key = await service.key();
      assert.deepEqual(summarize(await sendByAll(key, phone, 'sms')), twice('200 sms'));
      assert.deepEqual(summarize(await sendByAll(key, phone, 'whatsapp')), twice('200 whatsapp'));
    });
  }
});

describe('reachable by messenger only', () => {
  for (const [phone, what] of Object.entries(MESSENGER_ONLY)) {
    test(`${phone}: ${what}`, async () => {
      const key = await service.key();
      const smsOnly = await service.key({ companyId: key.companyId, channels: ['sms'] });
      assert.deepEqual(
        summarize(await sendByAll(key, phone, 'sms')),
        twice('422 country_not_supported'),
      );
      assert.deepEqual(
        summarize(await sendByAll(smsOnly, phone, 'auto')),
        twice('422 no_channel_available'),
      );
      assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
      assert.deepEqual(summarize(await sendByAll(key, phone, 'auto')), twice('200 whatsapp'));
      assert.deepEqual(await service.balance(key.companyId), { balance: 44, held: 0 });
    });
  }
});

describe('numbers of Kazakhstan that cannot receive an SMS', () => {
  for (const [phone, what] of Object.entries(NO_SMS_IN_KAZAKHSTAN)) {
    test(`${phone}: ${what}`, async () => {
      const key = await service.key();
      const smsOnly = await service.key({ companyId: key.companyId, channels: ['sms'] });
      assert.deepEqual(summarize(await sendByAll(key, phone, 'sms')), twice('422 invalid_phone'));
      assert.deepEqual(
        summarize(await sendByAll(smsOnly, phone, 'auto')),
        twice('422 no_channel_available'),
      );
      assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
      assert.deepEqual(summarize(await sendByAll(key, phone, 'auto')), twice('200 whatsapp'));
    });
  }
});

describe('blocked', () => {
  let key: TestKey;
  let testKey: TestKey;
  before(async () => {
    key = await service.key();
    testKey = await service.key({ isTest: true });
  });

  for (const [phone, what] of Object.entries(BLOCKED)) {
    test(`${phone}: ${what}`, async () => {
      for (const channel of ['sms', 'whatsapp', 'telegram', 'auto']) {
        const refused = twice('403 blocked_by_fraud_guard');
        assert.deepEqual(summarize(await sendByAll(key, phone, channel)), refused, channel);
        assert.deepEqual(summarize(await sendByAll(testKey, phone, channel)), refused, channel);
      }
      assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
      const rows = await service.sql(
        `select from message where recipient = $1 union all select from recent_sends where recipient = $1
         union all select from code where phone = $1`,
        [phone.slice(1)],
      );
      assert.equal(rows.length, 0);
    });
  }
});
