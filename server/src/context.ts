import type { Logger } from 'pino';
import type { Background } from './background.ts';
import type { Channels } from './channels/channel.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config/config.ts';
import type { Database } from './db/database.ts';
import type { DurableQueue } from './db/durable-queue.ts';
import type { CompanyId, KeyId, MessageId, MessageKind } from './ids.ts';
import type { Phone } from './phone.ts';
import type { Secrets } from './secrets.ts';

/**
 * The outside world as the domain sees it: everything that can be slow, fail, or differ in a test.
 */
export type Context = {
  config: Config;
  db: Database;
  channels: Channels;
  secrets: Secrets;
  clock: Clock;
  log: Logger;
  /** Fallbacks that receipts have caused; the watch takes those that are left out. */
  fallbacks: Background;
  /** Whatever else goes on after an answer. */
  background: Background;
  /** Sends whose callers hear of a failure while nobody knows what was written about them. */
  refusals: Pick<DurableQueue<RefusedSend>, 'add'>;
  /** Known once the server listens: the port may have been taken. */
  urls: { publicUrl: string; shortLinkBase: string };
  /** Only where a provider asks to be told; returns at once, and never throws. */
  onVerified?: ((verified: VerifiedCode) => void) | undefined;
  /**
   * Only where there is a Telegram bot to invite into groups: its name, or undefined while Telegram
   * cannot be asked.
   */
  findBot?: (() => Promise<string | undefined>) | undefined;
};

/** A code that a person has entered right. */
export type VerifiedCode = { keyId: KeyId; phone: Phone; purpose: string; code: string };

/** A send that failed as far as its caller knows, and so has to be free. */
export type RefusedSend = {
  companyId: CompanyId;
  id: MessageId;
  keyId: KeyId;
  kind: MessageKind;
  isTest: boolean;
  recipient: string;
  requestId: string;
  /** Whether a channel has or may have taken it; if not, the phone gets its minute back. */
  hasLeft: boolean;
};
