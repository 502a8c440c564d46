import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT_DATA, EVENT_TYPES, exampleOf } from '@zhiber/contract/api/events.ts';
import { Check } from 'typebox/value';
import type { Phone } from '../phone.ts';
import { bodyOfEvent, readWebhookId, webhookIdOf } from './event-body.ts';

const event = {
  id: '019a4320-1c5e-7d2a-8b1e-4f6c0a7d5e31',
  type: 'message.delivered' as const,
  at: new Date('2026-11-02T09:30:00.123Z'),
  isTest: true,
  phone: '77011234567' as Phone,
  data: {
    state: 'delivered',
    cost: 3,
    channel: 'whatsapp',
    kind: 'otp',
    message_id: '019a4320-1c5e-7d2a-9b1e-4f6c0a7d5e31',
    code: '123456',
  },
};

test('a body has the fields of the contract in its order, and nothing else that is stored', () => {
  assert.equal(
    bodyOfEvent(event, { hasPhone: false }),
    '{"type":"message.delivered","timestamp":"2026-11-02T09:30:00.123Z","data":{"message_id":"019a4320-1c5e-7d2a-9b1e-4f6c0a7d5e31","kind":"otp","phone":"+7701***4567","channel":"whatsapp","cost":3,"test":true,"state":"delivered"}}',
  );
});

test('a phone is in full only where the endpoint asks for it, and absent where there is none', () => {
  const phoneIn = (body: string) => JSON.parse(body).data.phone;
  assert.equal(phoneIn(bodyOfEvent(event, { hasPhone: true })), '+77011234567');
  assert.equal(phoneIn(bodyOfEvent({ ...event, phone: null }, { hasPhone: true })), undefined);
});

test('a webhook-id is read back, and nothing else is read as one', () => {
  assert.equal(webhookIdOf(event.id), 'evt_019a43201c5e7d2a8b1e4f6c0a7d5e31');
  assert.equal(readWebhookId(webhookIdOf(event.id)), event.id);
  for (const text of [
    '',
    'evt_',
    event.id,
    `${webhookIdOf(event.id)}0`,
    'msg_019a43201c5e7d2a8b1e4f6c0a7d5e31',
  ]) {
    assert.equal(readWebhookId(text), undefined, text);
  }
});

test('every example of the catalogue is what its type says', () => {
  for (const type of EVENT_TYPES) {
    assert(Check(EVENT_DATA[type], exampleOf(type).data), type);
  }
});
