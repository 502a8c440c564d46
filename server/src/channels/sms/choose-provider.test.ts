import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { SMS_ROUTINGS, type SmsRoute } from '../../config/sms-routes.ts';
import { findSmsRoute, orderSmsProviders, type SmsCandidate } from './choose-provider.ts';

const NEVER_SAMPLED = 0.99;
const order = (
  routing: (typeof SMS_ROUTINGS)[number],
  candidates: readonly SmsCandidate[],
  { preferred, chance = NEVER_SAMPLED }: { preferred?: string; chance?: number } = {},
) => {
  const { names, why } = orderSmsProviders({ candidates, preferred, routing, chance });
  return `${names.join(' ')}, ${why}`;
};

const DEAR = { name: 'dear', costTiyn: 1_900, deliveredShare: 0.97 };
const CHEAP = { name: 'cheap', costTiyn: 1_200, deliveredShare: 0.94 };
const POOR = { name: 'poor', costTiyn: 700, deliveredShare: 0.6 };
const NEW = { name: 'new' };

describe('which SMS provider is tried first', () => {
  test('the first of the settings, unless told otherwise', () => {
    assert.equal(order('order', [DEAR, POOR, CHEAP]), 'dear poor cheap, order');
    assert.equal(order('order', [DEAR, POOR], { chance: 0 }), 'dear poor, order');
  });

  test('by price: the cheapest that delivers about as much as the best', () => {
    assert.equal(order('price', [DEAR, POOR, CHEAP]), 'cheap dear poor, price');
    for (const given of [
      [NEW, DEAR, CHEAP],
      [DEAR, NEW, CHEAP],
      [DEAR, CHEAP, NEW],
    ]) {
      assert.equal(order('price', given), 'cheap dear new, price');
    }
    const unmeasured = [DEAR, { ...POOR, deliveredShare: undefined }];
    assert.equal(order('price', unmeasured), 'poor dear, price');
    assert.equal(order('price', [NEW, { name: 'other' }]), 'new other, order');
  });

  test('a provider that delivers ten points less than the best is not the cheapest', () => {
    const best = { name: 'best', costTiyn: 2_000, deliveredShare: 0.95 };
    const within = { name: 'within', costTiyn: 1_000, deliveredShare: 0.86 };
    const beyond = { name: 'beyond', costTiyn: 500, deliveredShare: 0.84 };
    assert.equal(order('price', [best, within, beyond]), 'within best beyond, price');
  });

  test('by deliveries: the best, and of those within two points the cheapest', () => {
    assert.equal(order('delivery', [POOR, CHEAP, DEAR]), 'dear cheap poor, delivery');
    const close = { ...CHEAP, deliveredShare: 0.955 };
    assert.equal(order('delivery', [POOR, DEAR, close]), 'cheap dear poor, delivery');
    assert.equal(order('delivery', [NEW, POOR]), 'poor new, delivery');
    assert.equal(order('delivery', [NEW, { name: 'other' }]), 'new other, order');
  });

  test('the others get three messages of a hundred each, so that they go on being measured', () => {
    const candidates = [DEAR, CHEAP, POOR];
    const firsts = (chance: number) => order('delivery', candidates, { chance });
    assert.equal(firsts(0), 'cheap dear poor, sample');
    assert.equal(firsts(0.0299), 'cheap dear poor, sample');
    assert.equal(firsts(0.03), 'poor dear cheap, sample');
    assert.equal(firsts(0.0599), 'poor dear cheap, sample');
    assert.equal(firsts(0.06), 'dear cheap poor, delivery');
  });

  test('the provider of a route comes first, and the others in their order', () => {
    const route = { preferred: 'poor' };
    assert.equal(order('price', [DEAR, POOR, CHEAP], route), 'poor cheap dear, operator');
    assert.equal(
      order('order', [DEAR, POOR, CHEAP], { ...route, chance: 0 }),
      'poor dear cheap, operator',
    );
    assert.equal(order('order', [DEAR, CHEAP], route), 'dear cheap, order');
  });

  test('nobody is lost or tried twice, whatever is known', () => {
    const candidate = fc.record({
      costTiyn: fc.option(fc.integer({ min: 0, max: 3_000 }), { nil: undefined }),
      deliveredShare: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
    });
    fc.assert(
      fc.property(
        fc.array(candidate, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(...SMS_ROUTINGS),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.option(fc.nat(5), { nil: undefined }),
        (facts, routing, chance, place) => {
          const candidates = facts.map((one, i) => ({ ...one, name: `p${i}` }));
          const preferred = place === undefined ? undefined : `p${place}`;
          const { names } = orderSmsProviders({ candidates, preferred, routing, chance });
          assert.deepEqual(
            names.toSorted(),
            candidates.map(({ name }) => name),
          );
        },
      ),
    );
  });
});

test('a route fits by the most digits, or by the operator, which a ported number has alone', () => {
  const routes: SmsRoute[] = [
    { to: 'beeline', provider: 'smpp' },
    { to: '7777', provider: 'smsc' },
    { to: '77771', provider: 'mobizon' },
  ];
  const find = (phone: string, operator: 'beeline' | 'kcell' | undefined, isPorted = false) =>
    findSmsRoute(routes, { phone, operator, isPorted });
  assert.equal(find('77051234567', 'beeline'), 'smpp');
  assert.equal(find('77772345678', 'beeline'), 'smsc');
  assert.equal(find('77771234567', 'beeline'), 'mobizon');
  assert.equal(find('77771234567', 'kcell', true), undefined);
  assert.equal(find('77011234567', 'beeline', true), 'smpp');
  assert.equal(find('77011234567', 'kcell'), undefined);
});
