import type { PersonId } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import { randomBytes } from '../../random.ts';
import type { People } from '../people.ts';
import { findPerson } from '../person-store.ts';
import { prepareSecret } from './second-factor-store.ts';
import { toBase32, totpUri } from './totp.ts';

const SECRET_BYTES = 20;

/** A secret for the app. It protects nothing before a first code of it has been right. */
export async function startSecondFactor(
  { ctx }: People,
  personId: PersonId,
): Promise<{ secret: string; uri: string }> {
  const secret = randomBytes(SECRET_BYTES);
  const sealed = ctx.secrets.seal(secret.toString('hex'));
  const isPrepared = await prepareSecret(ctx.db, { personId, sealed });
  if (!isPrepared) throw new Problem('validation_error');
  const { email, phone, name } = await findPerson(ctx.db, personId);
  return { secret: toBase32(secret), uri: totpUri(secret, email ?? phone ?? name) };
}
