import type { Lang } from '@zhiber/contract/cabinet/fields.ts';
import { letterOf } from '../../mail/letters.ts';
import { Problem } from '../../problem.ts';
import type { People } from '../people.ts';
import { findPerson, isKnownEmail } from '../person-store.ts';
import { countAttempt } from '../sign-in/attempts.ts';
import type { Visitor } from '../visitor.ts';
import { insertLink } from './letter-link-store.ts';
import { newLetterToken } from './letter-token.ts';

/** A letter to the new address; it counts once its link has been opened. */
export async function changeEmail(
  people: People,
  { personId }: Visitor,
  typed: { email: string; language: Lang; address: string },
): Promise<void> {
  const { ctx, mailer } = people;
  if (!mailer.isOn) throw new Problem('not_found');
  const email = typed.email.toLowerCase();
  await countAttempt(people, { what: 'letter', account: email, address: typed.address });
  const { token, mac } = newLetterToken(ctx.secrets);
  await insertLink(ctx.db, mac, { kind: 'new_email', email, personId });
  const isKnown = await isKnownEmail(ctx.db, email);
  const language = (await findPerson(ctx.db, personId)).language ?? typed.language;
  const { publicUrl } = ctx.urls;
  mailer.send(
    isKnown
      ? letterOf('known_address', language, { to: email, link: `${publicUrl}/login` })
      : letterOf('new_address', language, {
          to: email,
          link: `${publicUrl}/confirm-email?token=${token}`,
        }),
  );
}
