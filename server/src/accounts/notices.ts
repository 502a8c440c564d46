import type { SecurityEventKind } from '@zhiber/contract/cabinet/profile.ts';
import type { Lang } from '@zhiber/contract/languages.ts';
import { newId, type PersonId } from '../ids.ts';
import { sendLink } from '../links/send-link.ts';
import { letterOf } from '../mail/letters.ts';
import { maskPhone, type Phone } from '../phone.ts';
import type { Accounts } from './accounts.ts';
import { insertSecurityEvent } from './security-event-store.ts';

/** Where a change was made, as the log of security events shows it. */
export type EventOrigin = { address: string; device: string; requestId: string };

/** The contacts of a person before a change. */
export type OldContacts = { email: string | null; phone: string | null; language: Lang | null };

export type Change = {
  personId: PersonId;
  kind: Extract<
    SecurityEventKind,
    | 'phone_changed'
    | 'email_changed'
    | 'second_factor_off'
    | 'passkey_added'
    | 'passkey_removed'
    | 'password_changed'
    | 'password_reset'
  >;
  detail?: string | undefined;
  old: OldContacts;
  origin: EventOrigin;
};

/** The text of a message to a phone; each language is one SMS with its link. */
const PHONE_TEXTS: Record<Lang, string> = {
  ru: 'Zhiber: данные для входа изменены. Это не вы? :link',
  kk: 'Zhiber: кіру деректеріңіз өзгерді. Сіз емес пе? :link',
  en: 'Zhiber: your sign-in details were changed. Not you? :link',
};

/**
 * Records a change of how a person signs in, and tells it to the contacts from before: whoever made
 * it may not be the owner. Neither waits for the other, and a notice that fails is logged.
 */
export async function recordChange(accounts: Accounts, change: Change): Promise<void> {
  const { ctx } = accounts;
  const { personId, kind, detail, origin } = change;
  await insertSecurityEvent(ctx.db, { personId, kind, detail, origin });
  ctx.background.run(() =>
    tellOldContacts(accounts, change).catch((error: unknown) =>
      ctx.log.warn({ err: error, kind }, 'the old contacts were not told of a change'),
    ),
  );
}

async function tellOldContacts(
  { ctx, mailer, systemKey }: Accounts,
  { old, origin }: Change,
): Promise<void> {
  const language = old.language ?? 'ru';
  const link = `${ctx.urls.publicUrl}/app/profile`;
  if (old.email !== null && mailer.isOn) {
    mailer.send(letterOf('sign_in_changed', language, { to: old.email, link }));
  }
  if (old.phone === null) return;
  await sendLink(ctx, {
    key: await systemKey(),
    messageId: newId(ctx.clock.now().getTime()),
    requestId: origin.requestId,
    phone: old.phone,
    url: link,
    channel: 'auto',
    text: PHONE_TEXTS[language],
  });
}

export function maskContact({ phone, email }: { phone?: Phone; email?: string }): string {
  if (phone !== undefined) return maskPhone(phone);
  const [local = '', domain = ''] = (email ?? '').split('@');
  return `${local.slice(0, 1)}***@${domain}`;
}
