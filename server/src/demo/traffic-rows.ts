import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Prices } from '@zhiber/contract/api/prices.ts';
import type { Receipt } from './deliveries.ts';
import type { Chance } from './random.ts';

export type TrafficQuery = {
  from: Date;
  to: Date;
  /** The shop grows from here on. */
  openedAt: Date;
  /** When WhatsApp confirmed nothing; there may be no such time. */
  incident: { from: Date; to: Date } | undefined;
  keys: Record<DemoKeyName, number>;
  groupId: number | undefined;
  prices: Prices;
  shortLinkBase: string;
};
export type DemoKeyName = 'site' | 'app' | 'tests';

export type TrafficMessage = {
  id: string;
  key_id: number;
  kind: 'otp' | 'link' | 'group';
  is_test: boolean;
  recipient: string;
  state: 'sent' | 'failed';
  receipt: Receipt | null;
  channel: Channel;
  attempt: number;
  charged: number;
  created_at: Date;
  settled_at: Date;
  receipt_at: Date | null;
  delivered_at: Date | null;
  purpose: string | null;
  reason: string | null;
  slug: string | null;
  body: string | null;
  request_id: string;
};
export type TrafficAttempt = {
  message_id: string;
  number: number;
  channel: Channel;
  state: 'accepted' | 'refused';
  reason: string | null;
  receipt: Receipt | null;
  price: number;
  started_at: Date;
  settled_at: Date;
  receipt_at: Date | null;
  delivered_at: Date | null;
};
export type TrafficCode = {
  key_id: number;
  phone: string;
  purpose: string;
  message_id: string;
  expires_at: Date;
  verified_at: Date | null;
  wrong: number;
};
export type TrafficCall = {
  at: Date;
  key_id: number;
  request_id: string;
  path: string;
  status: number;
  error_code: string | null;
  duration_ms: number;
  phone: string | null;
  channel: string | null;
  message_id: string | null;
  recipient: string | null;
  request_body: string;
  answer_body: string | null;
};
export type TrafficLink = {
  slug: string;
  url: string;
  message_id: string | null;
  recipient: string | null;
  created_at: Date;
};
export type TrafficClick = Visit & Visitor;
export type Visit = {
  slug: string;
  message_id: string | null;
  recipient: string | null;
  at: Date;
  is_robot: boolean;
};
/** What is known of who opened a link; of a robot nothing is. */
export type Visitor = {
  country: string | null;
  city: string | null;
  device: string | null;
  system: string | null;
  browser: string | null;
  referrer: string | null;
  is_scan: boolean;
};
export type TrafficCharge = {
  kind: 'charge' | 'charge_moved';
  cause: string;
  at: Date;
  amount: number;
  messages: number;
};
export type Traffic = {
  messages: TrafficMessage[];
  attempts: TrafficAttempt[];
  codes: TrafficCode[];
  calls: TrafficCall[];
  links: TrafficLink[];
  clicks: TrafficClick[];
  charges: TrafficCharge[];
};

/** Something that is sent at a time, by the chance of its own. */
export type Send = { chance: Chance; at: Date };
