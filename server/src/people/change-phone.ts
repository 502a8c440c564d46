import { welcomeAfterPhone } from '../company/found-company.ts';
import type { Context } from '../context.ts';
import { isUniqueViolation } from '../db/sql-errors.ts';
import type { PersonId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { setPhone } from './person-store.ts';
import { checkPhoneCode } from './phone-codes.ts';

/** To a phone that has shown its code, and that nobody else signs in with. */
export async function changePhone(
  ctx: Context,
  personId: PersonId,
  typed: { phone: string; code: string },
): Promise<void> {
  const phone = await checkPhoneCode(ctx, { ...typed, use: 'cabinet-phone' });
  await setPhone(ctx.db, personId, phone).catch((error: unknown) => {
    throw isUniqueViolation(error, 'person_phone_key') ? new Problem('contact_taken') : error;
  });
  await welcomeAfterPhone(ctx, personId);
}
