import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createVirtualPhone, type PhoneMessage } from './virtual-phone.ts';

const never = new AbortController().signal;
let count = 0;
function message(changes: Partial<PhoneMessage> = {}): PhoneMessage {
  count += 1;
  return {
    messageId: `m${count}`,
    companyId: 1,
    keyId: 1,
    isTest: true,
    phone: '+77011234567',
    channel: 'whatsapp',
    kind: 'otp',
    text: 'Код 123456',
    code: '123456',
    link: null,
    at: new Date(1_000 * count),
    ...changes,
  };
}

test('messages are listed oldest first, and each key sees only its own', () => {
  const phone = createVirtualPhone();
  const [a, b, c] = [message(), message({ keyId: 2 }), message({ phone: '+77017654321' })];
  for (const one of [a, b, c]) phone.receive(one);
  assert.deepEqual(phone.messages({ keyId: 1 }), [a, c]);
  assert.deepEqual(phone.messages({ keyId: 2 }), [b]);
  assert.deepEqual(phone.messages({ keyId: 1, phone: '+77017654321' }), [c]);
  assert.deepEqual(phone.messages({ keyId: 1, since: a.at }), [c]);
  assert.deepEqual(phone.recent(2), [b, c]);
  assert.equal(phone.ownerOf(b.messageId), 1);
  assert.equal(phone.ownerOf('nobody'), undefined);
});

test('clear removes what the query matches, or everything without a query', () => {
  const phone = createVirtualPhone();
  const [a, b] = [message(), message({ phone: '+77017654321' })];
  for (const one of [a, b]) phone.receive(one);
  phone.clear({ keyId: 2 });
  phone.clear({ keyId: 1, phone: a.phone });
  assert.deepEqual(phone.recent(9), [b]);
  phone.clear();
  assert.deepEqual(phone.recent(9), []);
});

test('waiting ends with a message that matches, and not with another', async () => {
  const phone = createVirtualPhone();
  const waiting = phone.waitFor({ keyId: 1 }, 5_000, never);
  phone.receive(message({ keyId: 2 }));
  const wanted = message();
  phone.receive(wanted);
  assert.deepEqual(await waiting, [wanted]);
});

test('waiting ends at once when a message is there, and empty on timeout or abort', async () => {
  const phone = createVirtualPhone();
  assert.deepEqual(await phone.waitFor({ keyId: 1 }, 5, never), []);
  assert.deepEqual(await phone.waitFor({ keyId: 1 }, 0, never), []);
  const gone = new AbortController();
  const waiting = phone.waitFor({ keyId: 1 }, 60_000, gone.signal);
  gone.abort();
  assert.deepEqual(await waiting, []);
  const there = message();
  phone.receive(there);
  assert.deepEqual(await phone.waitFor({ keyId: 1 }, 60_000, never), [there]);
});

test('a listener that unsubscribes gets no more messages', () => {
  const phone = createVirtualPhone();
  const received: string[] = [];
  const stop = phone.listen((one) => received.push(one.messageId));
  const first = message();
  phone.receive(first);
  stop();
  phone.receive(message());
  assert.deepEqual(received, [first.messageId]);
});

test('a busy sandbox keeps the newest thousands and not everything', () => {
  const phone = createVirtualPhone();
  for (let i = 0; i < 25_000; i++) phone.receive(message());
  const kept = phone.messages({ keyId: 1 });
  assert(kept.length >= 5_000 && kept.length <= 10_000, `${kept.length}`);
  assert.equal(kept.at(-1)?.messageId, `m${count}`);
});
