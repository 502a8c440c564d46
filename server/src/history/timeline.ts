import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { MessageState } from '@zhiber/contract/api/events.ts';
import type { TimelineStep } from '@zhiber/contract/cabinet/messages.ts';
import type { Sql } from '../db/group-commit.ts';
import type { CompanyId, MessageId } from '../ids.ts';
import { firstAttempt } from './attempts.ts';
import {
  type Clicks,
  countClicks,
  findAttempts,
  findMessage,
  findVerifiedAt,
  type StoredMessage,
  shownState,
} from './message-store.ts';
import { type Story, toSteps } from './steps.ts';

export type Timeline = {
  message_id: MessageId;
  kind: StoredMessage['kind'];
  phone: string;
  mode: 'test' | 'live';
  state: MessageState;
  channel: Channel | null;
  cost: number;
  created_at: string;
  steps: TimelineStep[];
};

const NO_CLICKS: Clicks = { count: 0, first_at: null };

export async function readStory(
  sql: Sql,
  companyId: CompanyId,
  id: MessageId,
): Promise<Story | undefined> {
  const message = await findMessage(sql, companyId, id);
  if (message === undefined) return undefined;
  const { kind, slug } = message;
  const stored = await findAttempts(sql, companyId, id);
  const first = firstAttempt(message);
  return {
    message,
    attempts: stored.length > 0 || first === undefined ? stored : [first],
    verifiedAt: kind === 'otp' ? await findVerifiedAt(sql, companyId, id) : undefined,
    clicks: slug === null ? NO_CLICKS : await countClicks(sql, companyId, slug),
  };
}

/**
 * A message as a story: every attempt with its channel, time and reason, in the order it happened.
 */
export async function readTimeline(
  sql: Sql,
  companyId: CompanyId,
  id: MessageId,
): Promise<Timeline | undefined> {
  const story = await readStory(sql, companyId, id);
  if (story === undefined) return undefined;
  const { message } = story;
  return {
    message_id: message.id,
    kind: message.kind,
    phone: message.kind === 'group' ? message.recipient : `+${message.recipient}`,
    mode: message.is_test ? 'test' : 'live',
    state: shownState(message),
    channel: message.channel,
    cost: message.charged,
    created_at: message.created_at.toISOString(),
    steps: toSteps(story),
  };
}
