import type { Context } from '../../context.ts';
import type { PersonId } from '../../ids.ts';
import { readCode } from '../../otp/code.ts';
import { Problem } from '../../problem.ts';
import type { People } from '../people.ts';
import { countAttempt, endAttempts } from '../sign-in/attempts.ts';
import { macOfRecoveryCode } from './recovery-codes.ts';
import { findSecret, takeRecoveryCode, takeStep } from './second-factor-store.ts';
import { matchStep } from './totp.ts';

export type SecondProof = { code: string; isRecoveryCode: boolean };

/** Returns when the proof is right, and uses it up; a wrong one costs an attempt. */
export async function checkSecondFactor(
  people: Pick<People, 'ctx' | 'mailer'>,
  { personId, address }: { personId: PersonId; address: string },
  { code, isRecoveryCode }: SecondProof,
): Promise<void> {
  const attempts = { what: 'second_factor', account: personId, address } as const;
  const { ctx } = people;
  await countAttempt(people, attempts);
  const isRight = isRecoveryCode
    ? await takeRecoveryCode(ctx.db, personId, macOfRecoveryCode(ctx.secrets, code))
    : await takeCode(ctx, personId, readCode(code));
  if (!isRight) throw new Problem('wrong_credentials');
  await endAttempts(ctx, attempts);
}

async function takeCode(
  { db, secrets, clock }: Pick<Context, 'db' | 'secrets' | 'clock'>,
  personId: PersonId,
  code: string,
): Promise<boolean> {
  const found = await findSecret(db, personId);
  if (found === undefined) return false;
  const step = matchStep(Buffer.from(secrets.unseal(found.sealed), 'hex'), code, clock.now());
  return step !== undefined && (await takeStep(db, personId, step));
}
