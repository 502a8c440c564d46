import type { Lang } from '@zhiber/contract/languages.ts';
import { almatyDay, HOUR_MS } from '../../almaty.ts';
import type { Context } from '../../context.ts';
import type { Transaction } from '../../db/database.ts';
import { type CompanyId, type KeyId, newId } from '../../ids.ts';
import { newSlug } from '../../links/slug.ts';
import { storeCounts } from '../results/count-progress.ts';
import { DEMO_BROADCASTS, DEMO_DRAFT, type DemoBroadcast } from './demo-samples.ts';
import {
  insertDemoDraft,
  insertPastBroadcast,
  insertPastClick,
  insertPastRecipient,
  insertUnsubscribed,
  type PastRecipient,
} from './demo-store.ts';

type DemoContext = Pick<Context, 'clock' | 'prices' | 'urls'>;

const MINUTE_MS = 60_000;
/** Row 1 of the file holds the headings. */
const FIRST_ROW = 2;

export type DemoCharge = { cause: string; at: Date; amount: number; messages: number };
type Filling = { companyId: CompanyId; keyId: KeyId; lang: Lang };

/**
 * Two broadcasts that have ended and a draft, so that the demo company has something to look at.
 * Returns what they have cost, for the ledger.
 */
export async function fillDemoBroadcasts(
  ctx: DemoContext,
  tx: Transaction,
  filling: Filling,
): Promise<DemoCharge[]> {
  const charges: DemoCharge[] = [];
  for (const sample of DEMO_BROADCASTS) {
    const { id, ...charge } = await insertSample(ctx, tx, { ...filling, sample });
    await storeCounts(tx, id);
    charges.push(charge);
  }
  await insertDraft(ctx, tx, filling);
  return charges;
}

async function insertSample(
  ctx: DemoContext,
  tx: Transaction,
  { sample, companyId, keyId, lang }: Filling & { sample: DemoBroadcast },
): Promise<DemoCharge & { id: string }> {
  const startedAt = momentOf(ctx.clock.now(), sample.started);
  const id = newId(startedAt.getTime() - 20 * MINUTE_MS);
  const prices = await ctx.prices.read(companyId);
  const recipients = sample.recipients.map((outcome, place): PastRecipient => {
    const sentAt = new Date(startedAt.getTime() + place * sample.secondsBetween * 1_000);
    const slug = newSlug();
    const phone = phoneOf(place);
    const isCharged = outcome.state === 'sent' && outcome.channel !== undefined;
    return {
      ...outcome,
      number: FIRST_ROW + place,
      phone,
      cells: [`+${phone}`, outcome.name],
      messageId: outcome.state === undefined ? null : newId(sentAt.getTime()),
      slug,
      body: bodyOf(sample.text, outcome.name, `${ctx.urls.shortLinkBase}/${slug}`),
      charged: isCharged ? prices[outcome.channel as keyof typeof prices] : 0,
      sentAt,
    };
  });
  const endedAt = new Date(
    startedAt.getTime() + recipients.length * sample.secondsBetween * 1_000 + MINUTE_MS,
  );
  const { text, url, channels } = sample;
  await insertPastBroadcast(tx, {
    id,
    companyId,
    name: sample.name[lang],
    text,
    url,
    channels,
    recipients: recipients.length,
    startedAt,
    endedAt,
  });
  for (const recipient of recipients) {
    await insertPastRecipient(tx, { id, companyId, keyId, url, prices }, recipient);
    await insertReactions(tx, { id, companyId, startedAt }, recipient);
  }
  return {
    id,
    cause: newId(endedAt.getTime()),
    at: endedAt,
    amount: recipients.reduce((sum, { charged }) => sum + charged, 0),
    messages: recipients.filter(({ charged }) => charged > 0).length,
  };
}

/** What people, and robots that look at links, did with a message. */
async function insertReactions(
  tx: Transaction,
  { id, companyId, startedAt }: { id: string; companyId: CompanyId; startedAt: Date },
  { messageId, slug, phone, sentAt, ...recipient }: PastRecipient,
): Promise<void> {
  if (recipient.skipped === 'unsubscribed') {
    await insertUnsubscribed(tx, { phone, companyId, broadcastId: null, at: startedAt });
  }
  if (messageId === null) return;
  const after = (minutes: number) => new Date(sentAt.getTime() + minutes * MINUTE_MS);
  const click = { companyId, slug, messageId, phone };
  if (recipient.isSeenByRobot) await insertPastClick(tx, { ...click, at: after(0), isRobot: true });
  if (recipient.clickedMinutes !== undefined) {
    await insertPastClick(tx, { ...click, at: after(recipient.clickedMinutes), isRobot: false });
  }
  if (recipient.isUnsubscribed) {
    await insertUnsubscribed(tx, { phone, companyId, broadcastId: id, at: after(15) });
  }
}

async function insertDraft(
  ctx: DemoContext,
  tx: Transaction,
  { companyId, lang }: Filling,
): Promise<void> {
  const { name, text, sourceName, rows } = DEMO_DRAFT;
  await insertDemoDraft(tx, {
    id: newId(ctx.clock.now().getTime()),
    companyId,
    name: name[lang],
    text,
    sourceName: sourceName[lang],
    channels: ['telegram', 'sms'],
    rows: rows.map((row, place) => {
      const { typed, phone } = typedPhone(row.verdict, place);
      const { verdict, reason } = row;
      return { number: FIRST_ROW + place, cells: [typed, row.name], phone, verdict, reason };
    }),
  });
}

/** As it stands in the file, and the phone that it is. */
function typedPhone(verdict: string, place: number): { typed: string; phone: string | null } {
  if (verdict === 'invalid') return { typed: '8701', phone: null };
  if (verdict === 'cannot_receive') return { typed: '8 (727) 250-00-00', phone: '77272500000' };
  const phone = phoneOf(verdict === 'duplicate' ? 0 : place);
  return { typed: `8${phone.slice(1)}`, phone };
}

function phoneOf(place: number): string {
  return `7701556${String(1_000 + place * 7).padStart(4, '0')}`;
}

function bodyOf(text: string, name: string, link: string): string {
  return text.replace(/\{\{[^}]*\}\}/, name).replace(':link', link);
}

function momentOf(now: Date, { daysAgo, hour, minute }: DemoBroadcast['started']): Date {
  return new Date(almatyDay(now, -daysAgo).getTime() + hour * HOUR_MS + minute * MINUTE_MS);
}
