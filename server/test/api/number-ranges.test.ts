/** Which numbers are written to at all, and which by SMS, while SMS goes to Kazakhstan alone. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { ENDPOINTS } from '@zhiber/contract/api/endpoints.ts';
import { type Answered, type TestKey, useService } from '../harness.ts';

const service = useService();

const BY_SMS_TOO: Record<string, string> = {
  '+77011234567': 'Kcell',
  '+77021234567': 'Beeline',
  '+77051234567': 'Beeline',
  '+77471234567': 'Tele2',
  '+77751234567': 'Kcell',
  '+77771234567': 'Beeline',
  '+77001234567': 'Altel',
  '+77081234567': 'Altel',
  '+77172123456': 'a landline of Astana',
  '+77511234567': 'a number over the internet',
  '+77641234567': '2Day Telecom',
  '+76001234567': 'a range of Kazakhstan that is not given out yet',
  '+76991234567': 'the end of that range',
};

const BY_MESSENGER_ALONE: Record<string, string> = {
  '+79161234567': 'Russia',
  '+79991234567': 'Russia, the end of its mobile range',
  '+79001234567': 'Russia, the beginning of it',
  '+74951234567': 'Moscow',
  '+78121234567': 'Saint Petersburg',
  '+73431234567': 'Yekaterinburg',
  '+78001234567': 'free of charge in Russia',
  '+79401234567': 'Abkhazia',
  '+72001234567': 'a range of Russia that is not given out yet',
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

const NOT_AT_ALL: Record<string, string> = {
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
  '+80812345678': 'shared cost in every country',
  '+979123456789': 'premium in every country',
  '+870773123456': 'Inmarsat',
  '+881612345678': 'Iridium',
  '+8816234567890': 'Iridium',
  '+8821312345678': 'a satellite network',
  '+883510012345': 'a network of no country',
  '+878101234567890': 'a personal number of no country',
};

const SENDING: Record<string, (phone: string, channel: string) => object> = {
  '/otp/send': (phone, channel) => ({ phone, channel }),
  '/links/send': (phone, channel) => ({ phone, channel, url: 'https://shop.kz' }),
};

test('these are all the endpoints that write to a phone', () => {
  const writing = Object.values(ENDPOINTS).filter(
    ({ body, errors }: { body?: { properties?: object }; errors: readonly string[] }) =>
      errors.includes('delivery_failed') && 'phone' in (body?.properties ?? {}),
  );
  assert.deepEqual(
    writing.map(({ path }) => path),
    Object.keys(SENDING),
  );
});

/** Asks every endpoint for this number and channel, each time a minute later. */
async function askAll(key: TestKey, phone: string, channel: string): Promise<Answered[]> {
  await service.passTime(61);
  const answers: Answered[] = [];
  for (const [path, bodyOf] of Object.entries(SENDING)) {
    answers.push(await service.call(path, bodyOf(phone, channel), key));
  }
  return answers;
}

const told = (answers: Answered[]) =>
  answers.map(({ status, body }) => `${status} ${body.error_code ?? body.channel}`);
const twice = (text: string) => [text, text];

describe('by SMS and by messenger', () => {
  for (const [phone, what] of Object.entries(BY_SMS_TOO)) {
    test(`${phone}: ${what}`, async () => {
      const key = await service.key();
      assert.deepEqual(told(await askAll(key, phone, 'sms')), twice('200 sms'));
      assert.deepEqual(told(await askAll(key, phone, 'whatsapp')), twice('200 whatsapp'));
    });
  }
});

describe('by messenger alone', () => {
  for (const [phone, what] of Object.entries(BY_MESSENGER_ALONE)) {
    test(`${phone}: ${what}`, async () => {
      const key = await service.key();
      const alone = await service.key({ companyId: key.companyId, channels: ['sms'] });
      assert.deepEqual(told(await askAll(key, phone, 'sms')), twice('422 country_not_supported'));
      assert.deepEqual(told(await askAll(alone, phone, 'auto')), twice('422 no_channel_available'));
      assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
      assert.deepEqual(told(await askAll(key, phone, 'auto')), twice('200 whatsapp'));
      assert.deepEqual(await service.balance(key.companyId), { balance: 44, held: 0 });
    });
  }
});

describe('not at all', () => {
  let key: TestKey;
  let free: TestKey;
  before(async () => {
    key = await service.key();
    free = await service.key({ isTest: true });
  });

  for (const [phone, what] of Object.entries(NOT_AT_ALL)) {
    test(`${phone}: ${what}`, async () => {
      for (const channel of ['sms', 'whatsapp', 'telegram', 'auto']) {
        const refused = twice('403 blocked_by_fraud_guard');
        assert.deepEqual(told(await askAll(key, phone, channel)), refused, channel);
        assert.deepEqual(told(await askAll(free, phone, channel)), refused, channel);
      }
      assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
      const left = await service.sql(
        `select from message where recipient = $1 union all select from gate where recipient = $1
         union all select from code where phone = $1`,
        [phone.slice(1)],
      );
      assert.equal(left.length, 0);
    });
  }
});
