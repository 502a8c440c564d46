import type { Channel } from '@zhiber/contract/api/channel.ts';
import { SEND_INTERVAL_SECONDS } from '@zhiber/contract/api/limits.ts';
import { messagePrice } from '@zhiber/contract/api/prices.ts';
import type { MessageDetail } from '@zhiber/contract/cabinet/messages.ts';
import type { Context } from '../context.ts';
import type { Sql } from '../db/sql.ts';
import { storedParts } from '../delivery/sms-price.ts';
import { type CompanyId, isId, type MessageId } from '../ids.ts';
import { toMessageRow } from './list-messages.ts';
import { scanMessages } from './message-list-store.ts';
import { toQuery } from './message-query.ts';
import { findBroadcastName, readSendFacts, type SendFacts } from './message-store.ts';
import { readStory, type Story, toSteps } from './timeline.ts';

/** One message with its whole history; undefined when the company has no such message. */
export async function readMessage(
  ctx: Pick<Context, 'db' | 'clock' | 'urls' | 'channels' | 'prices' | 'config' | 'keys'>,
  companyId: CompanyId,
  id: MessageId,
  viewer: { canSeePhones: boolean },
): Promise<MessageDetail | undefined> {
  const query = toQuery({ search: id }, ctx.clock.now());
  const { rows } = await scanMessages(ctx.db, companyId, query, { rowsMax: 1 });
  const story = await readStory(ctx.db, companyId, id);
  const [listed] = rows;
  if (listed === undefined || story === undefined) return undefined;
  const facts = await readSendFacts(ctx.db, companyId, id);
  const { message, clicks } = story;
  return {
    success: true,
    ...toMessageRow(listed, viewer.canSeePhones),
    request_id: message.request_id,
    broadcast: await findBroadcastOf(ctx.db, companyId, message),
    body: message.body,
    short_url: message.slug === null ? null : `${ctx.urls.shortLinkBase}/${message.slug}`,
    clicks: clicks.count,
    route: routeOf(story),
    fallback_seconds: facts.fallback_seconds,
    steps: toSteps(story),
    resend_after: resendAfter(facts),
    other_channels: await otherChannels(ctx, { companyId, story, facts }),
  };
}

/** The request of a message of a broadcast is the broadcast itself. */
async function findBroadcastOf(
  sql: Sql,
  companyId: CompanyId,
  { kind, request_id: id }: Story['message'],
): Promise<MessageDetail['broadcast']> {
  if (kind !== 'broadcast' || !isId(id)) return null;
  const name = await findBroadcastName(sql, companyId, id);
  return name === undefined ? null : { id, name };
}

/** The channels that were tried, followed by those that were left. */
function routeOf({ message, attempts }: Story): Channel[] {
  const left = message.route.split(',').filter((name) => name !== '') as Channel[];
  return [...new Set([...attempts.map((attempt) => attempt.channel), ...left])];
}

async function otherChannels(
  ctx: Pick<Context, 'channels' | 'prices' | 'config' | 'keys' | 'urls'>,
  { companyId, story, facts }: { companyId: CompanyId; story: Story; facts: SendFacts },
): Promise<MessageDetail['other_channels']> {
  const { kind, slug, body, is_test: isTest } = story.message;
  if (kind === 'group' || kind === 'broadcast') return [];
  const content = kind === 'link' ? 'text' : facts.is_with_link ? 'code_with_link' : 'code';
  const tried = new Set(story.attempts.map(({ channel }) => channel));
  const prices = await ctx.prices.read(companyId);
  const key = await ctx.keys.read(facts.key_id);
  const link = slug === null ? undefined : `${ctx.urls.shortLinkBase}/${slug}`;
  const smsParts = storedParts(ctx.config, key, { kind, body, link });
  return facts.channels
    .filter((channel) => !tried.has(channel))
    .filter((channel) => ctx.channels.adapter(channel, isTest)?.carries.has(content))
    .map((channel) => ({ channel, price: isTest ? 0 : messagePrice(prices, channel, smsParts) }));
}

function resendAfter({ last_code_seconds }: SendFacts): number {
  if (last_code_seconds === null) return 0;
  return Math.max(Math.ceil(SEND_INTERVAL_SECONDS - last_code_seconds), 0);
}
