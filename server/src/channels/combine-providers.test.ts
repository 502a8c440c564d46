import assert from 'node:assert/strict';
import { test } from 'node:test';
import pino from 'pino';
import { type CompanyId, newId } from '../ids.ts';
import type { Phone } from '../phone.ts';
import type { AttemptRef, ContentKind, Outcome, OutgoingMessage } from './channel.ts';
import { type CombineTools, combineProviders, type ProviderIds } from './combine-providers.ts';
import type { Provider, ProviderStatus } from './provider.ts';

const ref: AttemptRef = { companyId: 1 as CompanyId, messageId: newId(1), attempt: 1 };
const message: OutgoingMessage = {
  ref,
  keyId: 1,
  isTest: false,
  to: { phone: '77010000001' as Phone },
  content: 'code',
  language: 'ru',
  text: 'Код 123456',
  code: '123456',
};
const accepted: Outcome = { result: 'accepted', providerId: '7' };
const refused: Outcome = { result: 'refused', reason: 'нет' };
const unavailable: Outcome = { result: 'unavailable', reason: 'сбой' };
const unknown: Outcome = { result: 'unknown', reason: 'тишина' };

function open(
  parts: (Partial<Omit<Provider, 'send'>> & { says: Outcome; knows?: ProviderStatus })[],
  storeProviderIds: (ids: ProviderIds) => Promise<boolean> = async () => true,
  smsRouting?: CombineTools['smsRouting'],
) {
  const asked: string[] = [];
  const providers = parts.map(({ says, knows, ...part }, index): Provider => {
    const name = 'abc'[index] as string;
    return {
      name,
      channel: 'sms',
      carries: new Set<ContentKind>(['code']),
      receiptKey: 'ref',
      deduplicates: false,
      canQueryByRef: false,
      async send() {
        asked.push(name);
        return says;
      },
      async readStatus() {
        asked.push(`${name}?`);
        return knows ?? { known: 'unclear' };
      },
      check: async () => ({ ok: true, detail: '' }),
      ...part,
    };
  });
  const log = pino({ level: 'silent' });
  const adapter = combineProviders(providers, { log, storeProviderIds, smsRouting });
  const signal = new AbortController().signal;
  return {
    asked,
    adapter,
    send: () => adapter.send(message, signal),
    recover: () => adapter.recover?.(message, signal),
  };
}

for (const definite of [refused, unavailable]) {
  test(`${definite.result}: the next provider is tried`, async () => {
    const { asked, send } = open([{ says: definite }, { says: accepted }, { says: accepted }]);
    assert.deepEqual(await send(), { result: 'accepted', providerId: 'b:7' });
    assert.deepEqual(asked, ['a', 'b']);
  });
}

test('unknown: no other provider is tried', async () => {
  const { asked, send } = open([{ says: unknown }, { says: accepted }]);
  assert.deepEqual(await send(), { ...unknown, provider: 'a' });
  assert.deepEqual(asked, ['a']);
});

test('all refuse: the outcome is that of the last provider', async () => {
  const { send } = open([{ says: unavailable }, { says: refused }]);
  assert.deepEqual(await send(), refused);
});

test('a provider that cannot carry the content or reach the recipient is skipped', async () => {
  const { asked, send, adapter } = open([
    { says: accepted, carries: new Set<ContentKind>(['text']) },
    { says: accepted, canReach: async () => false },
    { says: accepted },
  ]);
  await send();
  assert.deepEqual(asked, ['c']);
  assert.deepEqual([...adapter.carries], ['text', 'code']);
  assert.equal(await adapter.canReach?.(message.to, 'code'), true);
  assert.equal(await adapter.canReach?.(message.to, 'group'), false);
});

test('the ids of all parts are stored when receipts carry only ids', async () => {
  const kept: unknown[] = [];
  const storeProviderIds = async (...args: unknown[]) => {
    kept.push(args);
    return true;
  };
  const says = { ...accepted, partIds: ['7', '8'] };
  const { send } = open([{ says, receiptKey: 'id' }], storeProviderIds);
  assert.equal((await send()).result, 'accepted');
  assert.deepEqual(kept, [[{ ref, providerIds: ['a:7', 'a:8'], phone: undefined }]]);
});

test('SMS alone are routed, and only where there is a choice', async () => {
  const routed: (readonly string[])[] = [];
  const smsRouting: CombineTools['smsRouting'] = {
    async order(_phone, names) {
      routed.push(names);
      return { names: names.toReversed(), why: 'price' };
    },
  };
  const sendBy = async (...parts: Parameters<typeof open>[0]) => {
    const { asked, send } = open(parts, undefined, smsRouting);
    await send();
    return asked;
  };
  assert.deepEqual(await sendBy({ says: accepted }, { says: accepted }), ['b']);
  const byWhatsapp = { says: accepted, channel: 'whatsapp' } as const;
  assert.deepEqual(await sendBy(byWhatsapp, byWhatsapp), ['a']);
  assert.deepEqual(await sendBy({ says: accepted }), ['a']);
  assert.deepEqual(routed, [['a', 'b']]);
});

test('the phone is stored with ids that repeat', async () => {
  const kept: unknown[] = [];
  const storeProviderIds = async (ids: ProviderIds) => {
    kept.push(ids.phone);
    return true;
  };
  await open([{ says: accepted, receiptKey: 'id', idsRepeat: true }], storeProviderIds).send();
  assert.deepEqual(kept, ['phone' in message.to && message.to.phone]);
});

test('an id that belongs to another message makes the outcome unknown', async () => {
  const { send } = open([{ says: accepted, receiptKey: 'id' }], async () => false);
  assert.equal((await send()).result, 'unknown');
});

test('where receipts carry no ids, only the same message may get the same id again', async () => {
  const { adapter, send } = open([{ says: accepted }]);
  const signal = new AbortController().signal;
  const another = { ...message, ref: { ...ref, messageId: newId(2) } };
  assert.equal((await send()).result, 'accepted');
  assert.equal((await adapter.send(another, signal)).result, 'unknown');
  assert.equal((await send()).result, 'accepted');
});

test('an acceptance stands when its id cannot be stored', async () => {
  const storeProviderIds = () => Promise.reject(new Error('away'));
  const { send } = open([{ says: accepted, receiptKey: 'id' }], storeProviderIds);
  assert.equal((await send()).result, 'accepted');
});

const canTell = { canQueryByRef: true };
const recoveries: [string, Parameters<typeof open>[0], Outcome['result'], string[]][] = [
  ['one that deduplicates', [{ says: accepted, deduplicates: true }], 'accepted', ['a']],
  [
    'one that confirms that it has it',
    [{ says: accepted, ...canTell, knows: { known: 'accepted', providerId: '9' } }],
    'accepted',
    ['a?'],
  ],
  [
    'one that confirms that it never got it',
    [{ says: accepted, ...canTell, knows: { known: 'nothing' } }],
    'accepted',
    ['a?', 'a'],
  ],
  [
    'one whose answer is unclear',
    [
      { says: accepted, ...canTell },
      { says: accepted, deduplicates: true },
    ],
    'unknown',
    ['a?'],
  ],
  [
    'one that refused, then one that cannot be queried',
    [
      { says: accepted, ...canTell, knows: { known: 'refused', reason: 'нет' } },
      { says: accepted },
    ],
    'unknown',
    ['a?'],
  ],
  [
    'one that never got it, before one that deduplicates',
    [
      { says: accepted, ...canTell, knows: { known: 'nothing' } },
      { says: accepted, deduplicates: true },
    ],
    'accepted',
    ['a?', 'b'],
  ],
  [
    'one that deduplicates and refuses, before one that never got it',
    [
      { says: refused, deduplicates: true },
      { says: accepted, ...canTell, knows: { known: 'nothing' } },
    ],
    'accepted',
    ['b?', 'a', 'b'],
  ],
  [
    'one that deduplicates and is unavailable',
    [
      { says: unavailable, deduplicates: true },
      { says: accepted, ...canTell, knows: { known: 'nothing' } },
    ],
    'unknown',
    ['b?', 'a'],
  ],
  [
    'two that deduplicate, each only its own repeats',
    [
      { says: accepted, deduplicates: true },
      { says: accepted, deduplicates: true },
    ],
    'unknown',
    [],
  ],
  ['one that refuses it again', [{ says: refused, deduplicates: true }], 'refused', ['a']],
];
test('recovery: not offered when no provider can be queried or deduplicates', () => {
  assert.equal(open([{ says: accepted }, { says: accepted }]).adapter.recover, undefined);
});

for (const [name, parts, result, order] of recoveries) {
  test(`recovery: ${name}`, async () => {
    const { asked, recover } = open(parts);
    assert.equal((await recover())?.result, result);
    assert.deepEqual(asked, order);
  });
}

test('a status query goes to the provider that has the message', async () => {
  const told = { receipt: 'failed', reason: 'Телефон выключен' } as const;
  const knows = { known: 'accepted', providerId: '9', ...told } as const;
  const { asked, adapter } = open([{ says: refused }, { says: accepted, knows }]);
  const ask = (providerId: string | undefined) =>
    adapter.readStatus?.(
      { ref, providerId, to: '77010000001' as Phone, isTest: false, secondsAgo: 1 },
      new AbortController().signal,
    );
  assert.deepEqual(await ask('b:9'), told);
  assert.deepEqual(asked, ['b?']);
  assert.equal(await ask('gone:9'), undefined);
  assert.equal(await ask(undefined), undefined);
});

test('a recipient who wants no broadcasts gets one by no other provider', async () => {
  const stopped: Outcome = { result: 'refused', reason: 'отказался', isUnsubscribed: true };
  const { asked, send } = open([{ says: stopped }, { says: accepted }]);
  assert.deepEqual(await send(), stopped);
  assert.deepEqual(asked, ['a']);
});

test('the channel carries what any of its providers carries at the moment', () => {
  let kinds: ReadonlySet<ContentKind> = new Set(['code']);
  const plain: Provider = {
    name: 'a',
    channel: 'whatsapp',
    carries: new Set(['text']),
    receiptKey: 'ref',
    deduplicates: false,
    canQueryByRef: false,
    send: async () => accepted,
    check: async () => ({ ok: true, detail: '' }),
  };
  const changing: Provider = {
    ...plain,
    get carries() {
      return kinds;
    },
  };
  const tools = { log: pino({ level: 'silent' }), storeProviderIds: async () => true };
  const adapter = combineProviders([plain, changing], tools);
  assert.deepEqual([...adapter.carries].sort(), ['code', 'text']);
  assert.equal(adapter.carries, adapter.carries, 'it is not made again for every message');
  kinds = new Set(['code', 'broadcast']);
  assert.deepEqual([...adapter.carries].sort(), ['broadcast', 'code', 'text']);
});

const RATES: Record<string, [rates: (number | undefined)[], expected: number | undefined]> = {
  'the sum of its providers': [[10, 30], 40],
  'none when one has no limit': [[10, undefined], undefined],
};
for (const [name, [rates, expected]] of Object.entries(RATES)) {
  test(`the rate of broadcasts is ${name}`, () => {
    const carries = new Set<ContentKind>(['code', 'broadcast']);
    const { adapter } = open(
      rates.map((ratePerSecond) => ({ says: accepted, carries, ratePerSecond })),
    );
    assert.equal(adapter.ratePerSecond, expected);
  });
}

test('a provider that carries no broadcasts has no part in their rate', () => {
  const carries = new Set<ContentKind>(['broadcast']);
  const { adapter } = open([{ says: accepted, carries, ratePerSecond: 10 }, { says: accepted }]);
  assert.equal(adapter.ratePerSecond, 10);
  assert.equal(open([{ says: accepted, ratePerSecond: 5 }]).adapter.ratePerSecond, undefined);
});

test('the templates of a channel are those of all its providers', async () => {
  const template = { name: 'sale', language: 'ru', body: 'Скидка', variables: 0, hasLink: false };
  const listTemplates = async () => [template];
  const { adapter } = open([{ says: accepted, listTemplates }, { says: accepted }]);
  assert.deepEqual(await adapter.listTemplates?.(new AbortController().signal), [template]);
  assert.equal(open([{ says: accepted }]).adapter.listTemplates, undefined);
});
