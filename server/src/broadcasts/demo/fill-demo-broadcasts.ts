import { almatyDay, HOUR_MS } from '../../almaty.ts';
import type { Context } from '../../context.ts';
import type { Transaction } from '../../db/database.ts';
import { type CompanyId, type KeyId, newId } from '../../ids.ts';
import { newSlug } from '../../links/slug.ts';
import { storeCounts } from '../results/count-progress.ts';
import { readBroadcastKey } from '../run/broadcast-key.ts';
import { DEMO_BROADCASTS, DEMO_DRAFT, type DemoBroadcast } from './demo-samples.ts';
import {
  chargePastMessages,
  insertDemoDraft,
  insertPastBroadcast,
  insertPastClick,
  insertPastRecipient,
  insertUnsubscribed,
  type PastRecipient,
} from './demo-store.ts';

type DemoContext = Pick<Context, 'db' | 'clock' | 'keys' | 'prices' | 'urls'>;

const MINUTE_MS = 60_000;
/** Row 1 of the file holds the headings. */
const FIRST_ROW = 2;

/** Two broadcasts that have ended and a draft, so that the demo company has something to look at. */
export async function fillDemoBroadcasts(ctx: DemoContext, companyId: CompanyId): Promise<void> {
  const { id: keyId } = await readBroadcastKey(ctx, companyId);
  for (const sample of DEMO_BROADCASTS) {
    const id = await ctx.db.transaction((tx) =>
      insertSample(ctx, tx, { sample, companyId, keyId }),
    );
    await storeCounts(ctx.db, id);
  }
  await ctx.db.transaction((tx) => insertDraft(ctx, tx, companyId));
}

async function insertSample(
  ctx: DemoContext,
  tx: Transaction,
  { sample, companyId, keyId }: { sample: DemoBroadcast; companyId: CompanyId; keyId: KeyId },
): Promise<string> {
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
  const { name, text, url, channels } = sample;
  await insertPastBroadcast(tx, {
    id,
    companyId,
    name,
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
  await chargePastMessages(tx, {
    companyId,
    cause: newId(ctx.clock.now().getTime()),
    amount: recipients.reduce((sum, { charged }) => sum + charged, 0),
    messages: recipients.filter(({ charged }) => charged > 0).length,
  });
  return id;
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

async function insertDraft(ctx: DemoContext, tx: Transaction, companyId: CompanyId): Promise<void> {
  const { name, text, sourceName, rows } = DEMO_DRAFT;
  await insertDemoDraft(tx, {
    id: newId(ctx.clock.now().getTime()),
    companyId,
    name,
    text,
    sourceName,
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
