import { BRAND_LENGTH_MAX } from '@zhiber/contract/api/limits.ts';
import type { Company } from '@zhiber/contract/cabinet/company.ts';
import type { Key } from '@zhiber/contract/cabinet/keys.ts';

type Named = Pick<Company, 'name' | 'brand'>;
export type BrandOffer = { brand: string; keys: Pick<Key, 'id' | 'name' | 'brand'>[] };

/**
 * Which keys should get the new signature of a company: those without one, and those with the old
 * signature or name. Undefined when nothing has changed, or no key is left.
 */
export function brandOffer(
  before: Named,
  after: Named,
  keys: readonly Pick<Key, 'id' | 'name' | 'brand' | 'state'>[],
): BrandOffer | undefined {
  const isRenamed = before.name !== after.name;
  // A signature that was removed is not replaced by the name.
  if (!isRenamed && (before.brand === after.brand || after.brand === null)) return undefined;
  const brand = after.brand ?? after.name;
  if (brand.length > BRAND_LENGTH_MAX) return undefined;
  const outdated = [null, before.brand, before.name];
  const matching = keys.filter(
    (key) => key.state !== 'revoked' && key.brand !== brand && outdated.includes(key.brand),
  );
  return matching.length === 0 ? undefined : { brand, keys: matching };
}
