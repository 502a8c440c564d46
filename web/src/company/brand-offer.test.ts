import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brandOffer } from './brand-offer.ts';

const key = (
  id: number,
  brand: string | null,
  state: 'active' | 'expired' | 'revoked' = 'active',
) => ({
  id,
  name: `Ключ ${id}`,
  brand,
  state,
});
const old = { name: 'Лавка', brand: 'Lavka' };
const idsFor = (...args: Parameters<typeof brandOffer>) =>
  brandOffer(...args)?.keys.map(({ id }) => id);

test('a new signature is offered to keys without one and with the old one, not to others', () => {
  const keys = [key(1, null), key(2, 'Lavka'), key(3, 'Доставка'), key(4, 'Lavka', 'revoked')];
  const offer = brandOffer(old, { ...old, brand: 'Lavka.kz' }, keys);
  assert.equal(offer?.brand, 'Lavka.kz');
  assert.deepEqual(
    offer?.keys.map(({ id }) => id),
    [1, 2],
  );
});

test('an expired key is offered it too: it may be extended', () => {
  assert.deepEqual(idsFor(old, { ...old, brand: 'Новая' }, [key(1, null, 'expired')]), [1]);
});

test('without a signature the new name is offered, also to keys that have the old name', () => {
  const before = { name: 'Лавка', brand: null };
  const keys = [key(1, 'Лавка'), key(2, null), key(3, 'Лавка плюс')];
  assert.deepEqual(idsFor(before, { name: 'Базар', brand: null }, keys), [1, 2]);
});

test('nothing is offered when nothing has changed, or every key has it already', () => {
  assert.equal(brandOffer(old, old, [key(1, null)]), undefined);
  assert.equal(brandOffer(old, { ...old, brand: 'Новая' }, [key(1, 'Новая')]), undefined);
});

test('a removed signature is not replaced by the name', () => {
  assert.equal(brandOffer(old, { ...old, brand: null }, [key(1, 'Lavka')]), undefined);
});

test('a name too long for a signature is not offered', () => {
  const before = { name: 'Лавка', brand: null };
  assert.equal(
    brandOffer(before, { name: 'Л'.repeat(200), brand: null }, [key(1, null)]),
    undefined,
  );
});
