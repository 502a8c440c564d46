import { ALIAS_LENGTH_MAX } from '@zhiber/contract/api/limits.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { randomText } from '../ids.ts';
import { Problem } from '../problem.ts';
import { findTakenNames } from './link-store.ts';
import { isReserved, SLUG_FORM } from './slug.ts';

const OFFERED = 3;
const ENDINGS = ['2', '3', '4', '5', 'kz', 'new', 'go'];
const DIGITS = '23456789';

/** Whether a company can take a short name, and three like it that it can when not. */
export async function checkAlias(
  ctx: Pick<Context, 'db'>,
  { companyId, alias }: { companyId: CompanyId; alias: string },
): Promise<{ isFree: boolean; freeOnes: string[] }> {
  if (!SLUG_FORM.test(alias)) {
    throw new Problem('validation_error', { errors: { alias: ['Неверный формат'] } });
  }
  const similar = [...ENDINGS, ...Array.from({ length: OFFERED }, () => randomText(DIGITS, 4))]
    .map((ending) => withEnding(alias, ending))
    .filter((name) => !isReserved(name));
  const names = [alias, ...similar].map((name) => name.toLowerCase());
  const taken = new Set(await findTakenNames(ctx.db, companyId, names));
  const isFree = (name: string) => !taken.has(name.toLowerCase());
  if (isFree(alias) && !isReserved(alias)) return { isFree: true, freeOnes: [] };
  return { isFree: false, freeOnes: similar.filter(isFree).slice(0, OFFERED) };
}

function withEnding(alias: string, ending: string): string {
  const room = ALIAS_LENGTH_MAX - ending.length - 1;
  return `${alias.slice(0, room).replace(/[_-]+$/, '')}-${ending}`;
}
