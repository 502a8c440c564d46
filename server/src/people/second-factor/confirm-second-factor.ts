import { readCode } from '../../otp/code.ts';
import { Problem } from '../../problem.ts';
import type { People } from '../people.ts';
import { endOtherSessions, passSecondFactor } from '../session/session-store.ts';
import { countAttempt, endAttempts } from '../sign-in/attempts.ts';
import type { Visitor } from '../visitor.ts';
import { macOfRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';
import { findSecret, insertRecoveryCodes, turnOn } from './second-factor-store.ts';
import { matchStep } from './totp.ts';

/** From here on the second factor counts; all other sessions end. Returns the recovery codes. */
export async function confirmSecondFactor(
  people: People,
  visitor: Visitor,
  typed: { code: string; address: string },
): Promise<string[]> {
  const { ctx } = people;
  const { personId } = visitor;
  const attempts = { what: 'second_factor', account: personId, address: typed.address } as const;
  await countAttempt(people, attempts);
  const found = await findSecret(ctx.db, personId);
  if (found === undefined || found.isOn) throw new Problem('not_found');
  const { sealed } = found;
  const secret = Buffer.from(ctx.secrets.unseal(sealed), 'hex');
  const step = matchStep(secret, readCode(typed.code), ctx.clock.now());
  if (step === undefined) throw new Problem('wrong_credentials');

  const codes = newRecoveryCodes();
  await ctx.db.transaction(async (tx) => {
    if (!(await turnOn(tx, { personId, sealed, step }))) throw new Problem('not_found');
    const macs = codes.map((code) => macOfRecoveryCode(ctx.secrets, code));
    await insertRecoveryCodes(tx, personId, macs);
    await passSecondFactor(tx, visitor);
    await endOtherSessions(tx, visitor);
  });
  await endAttempts(ctx, attempts);
  return codes;
}
