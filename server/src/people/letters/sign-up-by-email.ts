import type { Lang } from '@zhiber/contract/cabinet/fields.ts';
import { letterOf } from '../../mail/letters.ts';
import { Problem } from '../../problem.ts';
import { refuseCommon } from '../password/common-passwords.ts';
import type { People } from '../people.ts';
import { isKnownEmail } from '../person-store.ts';
import { countAttempt } from '../sign-in/attempts.ts';
import { insertLink } from './letter-link-store.ts';
import { newLetterToken } from './letter-token.ts';

export type SignUp = { name: string; email: string; password: string; language: Lang };

/**
 * Writes a letter, and nothing else: the account is made by whoever opens its link, with the name and
 * password of that very letter. An address that has an account gets another letter, and the caller
 * cannot tell.
 */
export async function signUpByEmail(people: People, typed: SignUp, address: string): Promise<void> {
  const { ctx, mailer, passwords } = people;
  if (!mailer.isOn) throw new Problem('not_found');
  const email = typed.email.toLowerCase();
  refuseCommon(typed.password);
  passwords.refuseWhenFull();
  await countAttempt(people, { what: 'letter', account: email, address });
  const { token, mac } = newLetterToken(ctx.secrets);
  const hash = await passwords.hash(typed.password);
  await insertLink(ctx.db, mac, { ...typed, kind: 'sign_up', email, hash });
  const isKnown = await isKnownEmail(ctx.db, email);
  const { publicUrl } = ctx.urls;
  mailer.send(
    isKnown
      ? letterOf('known_address', typed.language, { to: email, link: `${publicUrl}/login` })
      : letterOf('confirm_address', typed.language, {
          to: email,
          link: `${publicUrl}/confirm-email?token=${token}`,
        }),
  );
}
