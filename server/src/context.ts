import type { Component } from '@zhiber/contract/admin/incidents.ts';
import type { Channel, GroupChannel } from '@zhiber/contract/api/channel.ts';
import type { Prices } from '@zhiber/contract/api/prices.ts';
import type { MeasureSource, StatusSnapshot } from '@zhiber/contract/pages/status.ts';
import type { Logger } from 'pino';
import type { PumpingGuard } from './abuse/pumping.ts';
import type { Channels, Receipt } from './channels/channel.ts';
import type { Provider } from './channels/provider.ts';
import type { ProviderMetricsRow } from './channels/provider-metrics.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config/config.ts';
import type { Database } from './db/database.ts';
import type { DurableQueue } from './db/durable-queue.ts';
import type { JobQueue } from './db/job-queue.ts';
import type { Sql } from './db/sql.ts';
import type { CompanyId, KeyId, MessageId, MessageKind } from './ids.ts';
import type { KeyCache } from './keys/key-cache.ts';
import type { PaymentProvider } from './payments/payment.ts';
import type { SheetDrawer } from './pdf/sheet-drawer.ts';
import type { Phone } from './phone.ts';
import type { Background } from './runtime/background.ts';
import type { Cache } from './runtime/cache.ts';
import type { LiveNodes } from './runtime/live-nodes.ts';
import type { MinuteCounts } from './runtime/minute-counts.ts';
import type { Places } from './runtime/places.ts';
import type { Semaphore } from './runtime/semaphore.ts';
import type { Tracer } from './runtime/tracer.ts';
import type { Secrets } from './secrets.ts';

/** Country in two letters; city in English, from a database that knows cities. */
export type ClickLocation = { country?: string | undefined; city?: string | undefined };

/**
 * What the domain uses: everything that can be slow, fail, or differ in a test; and what this
 * process keeps in memory.
 */
export type Context = Memory & {
  config: Config;
  db: Database;
  /** The same database with connections of its own: bulk messages never wait for those of codes. */
  bulk: Database;
  /** Reads that may be some seconds old, and decide nothing: from a replica where there is one. */
  reads: Sql;
  channels: Channels;
  /** The ways to pay that are open, in the order in which the page offers them. */
  payments: readonly PaymentProvider[];
  /** The providers of messages that this process has opened, and what it has measured of them. */
  providers: { all: readonly Provider[]; read(): readonly ProviderMetricsRow[] };
  /** Where an IP address is; loaded at the first click. */
  locations: { load(): Promise<(address: string) => ClickLocation> };
  /** Jobs by a schedule, each on one node at a time. */
  jobs: JobQueue;
  secrets: Secrets;
  clock: Clock;
  log: Logger;
  /** Fallbacks caused by receipts; the watch picks up those that are dropped. */
  fallbacks: Background;
  /** Any other work after a response. */
  background: Background;
  /** Sends whose callers get an error while it is unknown what was written about them. */
  refusals: Pick<DurableQueue<RefusedSend>, 'add'>;
  /** Known once the server listens: the default port may have been busy. */
  urls: { publicUrl: string; shortLinkBase: string };
  /** Set where a terminal shows the calls; returns at once, and never throws. */
  onCall?: ((call: FinishedCall) => void) | undefined;
  /** Set where metrics are served; returns at once, and never throws. */
  metrics?: Metrics | undefined;
  /** Set where spans go to a collector. */
  tracer?: Tracer | undefined;
  /** Set where a provider wants reports of verified codes; returns at once, and never throws. */
  onVerified?: ((verified: VerifiedCode) => void) | undefined;
  /**
   * By messenger, where a group is linked by a word posted in it: the account that people add to the
   * group, or undefined while that is not known.
   */
  groupAccounts?: Partial<Record<GroupChannel, () => Promise<string | undefined>>>;
};

/** What a process keeps in memory. It can be lost at any time, and every node has its own. */
export type Memory = {
  keys: KeyCache;
  /** What a company pays now: its own price where it has one, otherwise the common one. */
  prices: { read(companyId: CompanyId): Promise<Prices> };
  links: Cache<string, KnownLink>;
  barredHosts: { includes(hostname: string): Promise<boolean> };
  guard: PumpingGuard;
  /** Limits the exports of messages that run at once. */
  exports: Semaphore;
  /** Limits the files that come at once. */
  uploads: Places<CompanyId>;
  /** Limits the workbooks that are read at once. */
  workbooks: Semaphore;
  /** Draws papers. */
  sheets: SheetDrawer;
  /** Hours that are being counted for a company; concurrent callers wait for the same work. */
  usageCounts: Map<CompanyId, { from: Date; work: Promise<number> }>;
  /** Good and bad answers of each component, until they are saved for the status page. */
  traffic: MinuteCounts<Component, MeasureSource>;
  /** The other processes on this database. */
  nodes: LiveNodes;
  /** What the status page shows; undefined in the first moments. */
  statusPage: { snapshot: StatusSnapshot | undefined };
  /** Set in a sandbox, once it has been opened. */
  demo: Demo | undefined;
};

/** A short link as it was loaded, at a time of this process's monotonic clock. */
export type KnownLink = { link: FoundLink | undefined; loadedMs: number };

export type FoundLink = {
  slug_key: string;
  company_id: CompanyId;
  url: string;
  message_id: string | null;
  recipient: string | null;
  is_open: boolean;
  /** The operator has suspended its company. */
  is_suspended: boolean;
  /** Milliseconds until it expires; null when it never does. */
  expires_ms: number | null;
};

export type Demo = {
  companyId: CompanyId;
  name: string;
  /** Keys of the page with the virtual phone; every node derives their texts from the secret. */
  keys: { test: string; live: string };
};

/** A call of the API that was answered, with the phone as it was given. */
export type FinishedCall = {
  path: string;
  status: number;
  durationMs: number;
  /** Undefined where no key was found. */
  companyId: CompanyId | undefined;
  isTest: boolean;
  errorCode: string | undefined;
  phone: string | undefined;
  askedChannel: string | undefined;
  /** Of an accepted send: what carried it, and what it cost. */
  channel: string | undefined;
  cost: number | undefined;
  messageId: MessageId | undefined;
};

/** What this process counts for the operator, beside its providers. */
export type Metrics = {
  answered(answer: {
    /** One of a few dozen: never a path with an id. */
    route: string;
    status: number;
    errorCode: string | undefined;
    seconds: number;
  }): void;
  /** A receipt that was new. */
  received(report: { provider: string; receipt: Receipt; messageId: MessageId }): void;
  charged(channel: Channel, tokens: number): void;
  /** As the provider writes it: `9984.00 KZT`. */
  providerBalance(provider: string, balance: string): void;
};

/** A code that a person has entered correctly. */
export type VerifiedCode = { keyId: KeyId; phone: Phone; purpose: string; code: string };

/** A send that its caller was told has failed, and so must not be charged. */
export type RefusedSend = {
  companyId: CompanyId;
  id: MessageId;
  keyId: KeyId;
  kind: MessageKind;
  isTest: boolean;
  recipient: string;
  requestId: string;
  /**
   * Whether a channel has or may have accepted it; if not, the minute's pause of the phone is
   * lifted.
   */
  hasLeft: boolean;
};
