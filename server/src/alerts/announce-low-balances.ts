import { RIGHTS } from '@zhiber/contract/cabinet/rights.ts';
import type { Lang } from '@zhiber/contract/languages.ts';
import type { Context } from '../context.ts';
import { sendMessage } from '../delivery/send-message.ts';
import { newId } from '../ids.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { sendLink } from '../links/send-link.ts';
import { letterOf } from '../mail/letters.ts';
import type { Mailer } from '../mail/mailer.ts';
import {
  claimLowBalance,
  forgetRisen,
  type LowBalance,
  listAlertMembers,
  listTelegramGroups,
  markAnnounced,
} from './alert-store.ts';
import { hasBot } from './change-alert.ts';

export type Announcer = {
  ctx: Context;
  mailer: Pick<Mailer, 'isOn' | 'send'>;
  /** The key that Zhiber itself sends with: an alert is never charged to its company. */
  systemKey(): Promise<ApiKey>;
};

/** A company hears of its balance once a day at most, however often it rises and falls. */
const HOURS_MIN = 24;
/** Longer than the messages of one company take. */
const LEASE_SECONDS = 300;
const COMPANIES_MAX = 50;

/** `:link` becomes a short link where the message is sent as one. */
const TEXTS: Record<Lang, (company: string, available: string, threshold: string) => string> = {
  ru: (company, available, threshold) =>
    `Zhiber: на балансе «${company}» осталось ${available}, это ниже порога ${threshold}. Пополнить: :link`,
  kk: (company, available, threshold) =>
    `Zhiber: «${company}» балансында ${available} қалды, бұл ${threshold} шегінен төмен. Толтыру: :link`,
  en: (company, available, threshold) =>
    `Zhiber: ${available} left on the balance of “${company}”, below the threshold of ${threshold}. Top up: :link`,
};

/**
 * Announces balances that have fallen below their thresholds: once per fall, at most once a day, by
 * one node. Returns whether there may be more.
 */
export async function announceLowBalances(announcer: Announcer): Promise<boolean> {
  const { db, log } = announcer.ctx;
  await forgetRisen(db);
  for (let taken = 0; taken < COMPANIES_MAX; taken++) {
    // One at a time: the lease is as long as the messages of one company take.
    const low = await claimLowBalance(db, { hoursMin: HOURS_MIN, leaseSeconds: LEASE_SECONDS });
    if (low === undefined) return false;
    const { companyId, available } = low;
    try {
      await announce(announcer, low);
      await markAnnounced(db, low);
      log.info({ company_id: companyId, available }, 'low balance announced');
    } catch (error) {
      // It is tried again after the lease, and keeps no other company waiting.
      log.error({ err: error, company_id: companyId }, 'low balance was not announced');
    }
  }
  return true;
}

/** Everything that is told of a low balance starts here. */
async function announce(announcer: Announcer, low: LowBalance): Promise<void> {
  const members = await listAlertMembers(announcer.ctx.db, low.companyId, RIGHTS['balance.see']);
  const lang: Lang = low.language === 'kk' ? 'kk' : 'ru';
  const told = {
    low,
    lang,
    available: formatTenge(low.available),
    threshold: formatTenge(low.threshold),
    link: `${announcer.ctx.urls.publicUrl}/app/balance`,
  };
  const emails = low.emails ?? members.flatMap(({ email }) => email ?? []);
  sendLetters(announcer, told, emails);
  if (!hasBot(announcer.ctx)) return;
  if (low.tellsMembersInTelegram) {
    for (const { phone } of members) {
      if (phone !== null) await quietly(announcer, () => tellMember(announcer, told, phone));
    }
  }
  if (low.telegramGroupId !== null) await quietly(announcer, () => postToGroup(announcer, told));
}

type Told = { low: LowBalance; lang: Lang; available: string; threshold: string; link: string };

function sendLetters({ mailer }: Announcer, told: Told, emails: readonly string[]): void {
  const { lang, link, available, threshold } = told;
  const company = told.low.companyName;
  if (!mailer.isOn) return;
  for (const to of emails) {
    mailer.send(letterOf('low_balance', lang, { to, link, company, available, threshold }));
  }
}

async function tellMember({ ctx, systemKey }: Announcer, told: Told, phone: string): Promise<void> {
  const { low, lang, available, threshold, link } = told;
  await sendLink(ctx, {
    key: await systemKey(),
    messageId: newId(ctx.clock.now().getTime()),
    requestId: 'low_balance',
    phone: `+${phone}`,
    url: link,
    channel: 'telegram',
    text: TEXTS[lang](low.companyName, available, threshold),
  });
}

async function postToGroup({ ctx, systemKey }: Announcer, told: Told): Promise<void> {
  const { low, lang, available, threshold, link } = told;
  const groups = await listTelegramGroups(ctx.db, low.companyId);
  const group = groups.find(({ id }) => id === low.telegramGroupId);
  if (group === undefined) return;
  const text = TEXTS[lang](low.companyName, available, threshold).replace(':link', () => link);
  await sendMessage(ctx, {
    key: await systemKey(),
    messageId: newId(ctx.clock.now().getTime()),
    requestId: 'low_balance',
    kind: 'group',
    content: 'group',
    choice: 'telegram',
    to: { chats: [{ channel: 'telegram', chatId: group.chatId, groupId: group.id }] },
    compose: () => ({ text }),
    limits: null,
    body: text,
    code: null,
    link: null,
  });
}

/** A chat that cannot be reached keeps nobody else from being told. */
async function quietly({ ctx }: Announcer, tell: () => Promise<void>): Promise<void> {
  try {
    await tell();
  } catch (error) {
    ctx.log.warn({ reason: (error as Error).message }, 'low balance was not told in Telegram');
  }
}

function formatTenge(amount: number): string {
  return `${new Intl.NumberFormat('ru-RU').format(amount)}\u{a0}₸`;
}
