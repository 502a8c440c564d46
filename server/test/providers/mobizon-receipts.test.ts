import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { CallbackRequest } from '../../src/channels/provider.ts';
import { openMobizon } from '../../src/channels/sms/mobizon.ts';
import { systemClock } from '../../src/clock.ts';
import { SECRETS } from './mobizon-rig.ts';

const EVENT = {
  eventId: 26,
  eventType: 'sms-delivery-report',
  eventCreateTs: '2026-01-15 11:42:28',
  webhookId: 1,
  attempt: 1,
  data: {
    campaignId: 245,
    messageId: 169,
    segNum: 1,
    statusUpdateTs: '2026-01-15 11:42:08',
    status: 'DELIVRD',
    to: '77010000001',
  },
  sign: '5cdebbb611d765bad163d765e8637830b6fd4060',
};

function posted(event: unknown): CallbackRequest {
  const body = Buffer.from(typeof event === 'string' ? event : JSON.stringify(event));
  return { method: 'POST', headers: {}, query: {}, body };
}

const ASKED = { reports: [], unproven: ['169'] };
const NOTHING = { reports: [], unproven: [] };
const EVENTS: Record<string, [event: unknown, content: unknown]> = {
  'as documented': [EVENT, ASKED],
  'with numbers as texts': [{ ...EVENT, eventId: '26', attempt: '1' }, ASKED],
  // The signature does not cover it; what it says is therefore not believed.
  'with a status that was changed': [{ ...EVENT, data: { ...EVENT.data, status: 'X' } }, ASKED],
  'of another kind': [{ ...EVENT, eventType: 'form-submission' }, NOTHING],
  'without a message': [{ ...EVENT, data: null }, NOTHING],
  'with an odd message id': [{ ...EVENT, data: { messageId: { toString: 1 } } }, NOTHING],
  'with another event id': [{ ...EVENT, eventId: 27 }, undefined],
  'with another attempt': [{ ...EVENT, attempt: 2 }, undefined],
  'with a flipped bit': [{ ...EVENT, sign: EVENT.sign.replace(/0$/, '1') }, undefined],
  'without a signature': [{ ...EVENT, sign: undefined }, undefined],
  'with an odd signature': [{ ...EVENT, sign: ['a'] }, undefined],
  'with odd parts': [{ ...EVENT, eventId: { toString: 1 } }, undefined],
  'that is no object': ['[]', undefined],
  'that is no JSON': ['eventId=26', undefined],
  'that is empty': ['', undefined],
};
for (const [name, [event, content]] of Object.entries(EVENTS)) {
  test(`a webhook ${name} is ${content === undefined ? 'not authentic' : 'authentic'}`, () => {
    const provider = openMobizon(SECRETS, systemClock);
    assert.deepEqual(provider.readCallback?.(posted(event)), content);
  });
}

test('without a secret no webhook is authentic, not even one signed with nothing', () => {
  const sign = createHash('sha1').update('26|1|2026-01-15 11:42:28|').digest('hex');
  for (const callbackSecret of [undefined, '']) {
    const provider = openMobizon({ ...SECRETS, callbackSecret }, systemClock);
    assert.equal(provider.readCallback?.(posted({ ...EVENT, sign })), undefined);
  }
});
