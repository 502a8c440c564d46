import { Problem } from '../problem.ts';
import { checkPassword } from './password/check-password.ts';
import type { People } from './people.ts';
import { findPerson } from './person-store.ts';
import { checkPhoneCode } from './phone-codes.ts';
import { checkSecondFactor } from './second-factor/check-second-factor.ts';
import { renewConfirmation } from './session/session-store.ts';
import type { Visitor } from './visitor.ts';

/**
 * Proves again who is signed in: by the password, or by a code, which is the app's where there is one
 * and otherwise one that was sent to the person's phone.
 */
export async function confirmIdentity(
  people: People,
  visitor: Visitor,
  typed: { password?: string | undefined; code?: string | undefined; address: string },
): Promise<void> {
  const { password, code, address } = typed;
  if (password !== undefined) await checkPassword(people, visitor, { password, address });
  else if (code !== undefined) await checkCode(people, visitor, { code, address });
  else throw new Problem('validation_error', { errors: { code: ['Обязательное поле'] } });
  await renewConfirmation(people.ctx.db, visitor);
}

async function checkCode(
  people: People,
  { personId }: Visitor,
  { code, address }: { code: string; address: string },
): Promise<void> {
  const { ctx } = people;
  const { phone, hasSecondFactor } = await findPerson(ctx.db, personId);
  if (hasSecondFactor) {
    await checkSecondFactor(people, { personId, address }, { code, isRecoveryCode: false });
    return;
  }
  if (phone === null) throw new Problem('wrong_credentials');
  await checkPhoneCode(ctx, { phone, code, use: 'cabinet-confirm' });
}
