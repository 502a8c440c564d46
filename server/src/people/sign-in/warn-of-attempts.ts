import { letterOf } from '../../mail/letters.ts';
import type { People } from '../people.ts';
import { findByAccount } from '../person-store.ts';
import { takeAttempt } from './attempt-store.ts';

const DAY = 24 * 3600;

/** A letter to whose account is being guessed at, once a day. An account nobody has costs the same. */
export async function warnOfAttempts(
  { ctx, mailer }: Pick<People, 'ctx' | 'mailer'>,
  account: string,
): Promise<void> {
  const subject = ctx.secrets.macOfProof('warning of attempts', account);
  const { waitSeconds } = await takeAttempt(ctx.db, { subject, max: 1, seconds: DAY });
  const person = await findByAccount(ctx.db, account);
  if (waitSeconds > 0 || person === undefined || !mailer.isOn) return;
  const link = `${ctx.urls.publicUrl}/app/profile`;
  mailer.send(letterOf('attempts', person.language ?? 'ru', { to: person.email, link }));
}
