import type { Lang } from '@zhiber/contract/cabinet/fields.ts';
import { letterOf } from '../../mail/letters.ts';
import { Problem } from '../../problem.ts';
import type { People } from '../people.ts';
import { countAttempt } from '../sign-in/attempts.ts';
import { insertResetLink } from './letter-link-store.ts';
import { newLetterToken } from './letter-token.ts';

/** A letter, if anybody has the address; the caller cannot tell. */
export async function forgotPassword(
  people: People,
  typed: { email: string; language: Lang },
  address: string,
): Promise<void> {
  const { ctx, mailer } = people;
  if (!mailer.isOn) throw new Problem('not_found');
  const email = typed.email.toLowerCase();
  await countAttempt(people, { what: 'letter', account: email, address });
  const { token, mac } = newLetterToken(ctx.secrets);
  const known = await insertResetLink(ctx.db, mac, email);
  if (known === undefined) return;
  const link = `${ctx.urls.publicUrl}/reset-password?token=${token}`;
  mailer.send(letterOf('new_password', known.language ?? typed.language, { to: email, link }));
}
