import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Prices } from '@zhiber/contract/api/prices.ts';
import { openPriceCache } from '../../src/billing/price-cache.ts';
import type { Receipt } from '../../src/channels/channel.ts';
import type { Context, RefusedSend } from '../../src/context.ts';
import type { Sql } from '../../src/db/sql.ts';
import { recordReceipt } from '../../src/delivery/record-receipt.ts';
import { refuseSends } from '../../src/delivery/refusal-store.ts';
import { type PlannedSend, sendByRoute } from '../../src/delivery/send-by-route.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import { newId } from '../../src/ids.ts';
import type { ApiKey } from '../../src/keys/api-key.ts';
import { findKeyById } from '../../src/keys/key-store.ts';
import { verifyOtp } from '../../src/otp/verify-otp.ts';
import type { Phone } from '../../src/phone.ts';
import type { useService } from '../harness.ts';
import type { Job } from './job.ts';
import { RowStore, TimeGrid } from './stored-rows.ts';
import { Successors } from './world.ts';

type Service = ReturnType<typeof useService>;

export type Scenario = {
  name: string;
  kind: 'otp' | 'link';
  /** A single channel is explicit, several are `auto` in this order. */
  channels: readonly Channel[];
  balance: number;
  /** The receipts that providers may report any number of times after they have accepted. */
  receipts: readonly Receipt[];
  codeIsVerified: boolean;
  codeExpires: boolean;
  losesAnswers: boolean;
  timeStepSeconds: number;
};

/** Every kind of event with one channel. Other scenarios leave some out to stay small. */
export const EVERYTHING: Omit<Scenario, 'name'> = {
  kind: 'otp',
  channels: ['whatsapp'],
  balance: 50,
  receipts: ['failed', 'delivered'],
  codeIsVerified: true,
  codeExpires: true,
  losesAnswers: true,
  timeStepSeconds: 20,
};

/** Only what is never left out: two workers, crashes, slow jobs and every answer of a provider. */
export const CRASHES_ONLY: Omit<Scenario, 'name'> = {
  ...EVERYTHING,
  receipts: [],
  codeIsVerified: false,
  codeExpires: false,
  losesAnswers: false,
};

/** Replaces a job of the service by a faulty one. */
export type Variant = {
  send?(ctx: Context, request: PlannedSend): Promise<unknown>;
  watch?(ctx: Context, request: PlannedSend): Promise<unknown>;
};

const CODE = '123456';
const PURPOSE = 'default';
const FALLBACK_SECONDS = 15;

export type OpenedScenario = { successors: Successors; prices: Prices; close(): Promise<void> };

/** Creates the company and the key of a scenario, and its jobs. */
export async function openScenario(
  service: Service,
  scenario: Scenario,
  variant: Variant = {},
): Promise<OpenedScenario> {
  const { ctx } = service;
  const made = await service.key({
    balance: scenario.balance,
    channels: scenario.channels,
    fallbackSeconds: FALLBACK_SECONDS,
  });
  const settings = new Map<string, unknown[]>();
  const reader = createCachingReader(ctx.db, settings);
  const prices = await openPriceCache({ db: reader, clock: ctx.clock }).read(made.companyId);
  const key = (await findKeyById(reader, made.keyId)) as ApiKey;
  const phone = service.phone();
  const request = createSendRequest(ctx, { scenario, key, prices, phone });

  const grid = new TimeGrid(scenario.timeStepSeconds);
  const rowStore = await RowStore.open(ctx.db, made.companyId, grid);
  const successors = new Successors({
    rowStore,
    setting: { ctx, settings },
    workersMax: 2,
    grid,
    earlyReceiptsMax: 2,
    receipts: scenario.receipts,
    losesAnswers: scenario.losesAnswers,
    codeExpires: scenario.codeExpires,
    ...createJobs(request, { scenario, key, phone, variant }),
  });
  return { successors, prices, close: () => rowStore.close() };
}

/** Settings do not change in the model, so their queries are answered from memory. */
function createCachingReader(sql: Sql, settings: Map<string, unknown[]>): Sql {
  return {
    async query<T>(text: string, values?: readonly unknown[], name = text): Promise<T[]> {
      const rows = await sql.query<T>(text, values);
      settings.set(name, rows);
      return rows;
    },
  };
}

function createSendRequest(
  ctx: Context,
  parts: { scenario: Scenario; key: ApiKey; prices: Prices; phone: string },
): PlannedSend {
  const { scenario, key, prices } = parts;
  const phone = parts.phone.slice(1) as Phone;
  const isOtp = scenario.kind === 'otp';
  const fallsBack = scenario.channels.length > 1;
  const identity = { keyId: key.id, phone, purpose: PURPOSE };
  return {
    key,
    messageId: newId(Date.now()),
    requestId: 'req_model',
    route: scenario.channels.map((channel) => ({ channel, price: prices[channel] })),
    fallsBack,
    draft: {
      to: { phone },
      content: isOtp ? 'code' : 'text',
      language: 'ru',
      compose: () => ({ text: CODE, ...(isOtp && { code: CODE }) }),
    },
    reservation: {
      kind: scenario.kind,
      recipient: phone,
      limits: { gap: { seconds: 60, max: 1 }, hourMax: 10, dayMax: 20 },
      body: isOtp ? null : 'Текст',
      code: isOtp
        ? {
            purpose: PURPOSE,
            mac: () => ctx.secrets.macOfCode(identity, CODE),
            sealed: fallsBack ? () => ctx.secrets.seal(CODE) : null,
            ttlSeconds: key.codeTtlSeconds,
          }
        : null,
      link: null,
    },
  };
}

function createJobs(
  request: PlannedSend,
  parts: { scenario: Scenario; key: ApiKey; phone: string; variant: Variant },
) {
  const { scenario, key, phone } = parts;
  const { send = sendByRoute, watch = watchOnce } = parts.variant;
  const receiptJobs = new Map<string, Job>();
  const receiptJob = (attempt: number, receipt: Receipt): Job => {
    const name = `receipt of attempt ${attempt}, ${receipt}`;
    const ref = { companyId: key.companyId, messageId: request.messageId, attempt };
    const job = receiptJobs.get(name) ?? {
      name,
      start: (ctx: Context) => recordReceipt(ctx, { ref, receipt }),
    };
    receiptJobs.set(name, job);
    return job;
  };
  const refusalJobs = new Map<boolean, Job>();
  const refusal = (refused: RefusedSend): Job => {
    const job = refusalJobs.get(refused.hasLeft) ?? {
      name: `refusal of a message that was ${refused.hasLeft ? '' : 'not '}sent`,
      isRefusal: true,
      start: (ctx: Context) => refuseSends(ctx.db, [refused]),
    };
    refusalJobs.set(refused.hasLeft, job);
    return job;
  };
  const guess = { key, phone, code: CODE, purpose: PURPOSE, claim: null };
  const verify: Job = { name: 'verify', start: (ctx) => verifyOtp(ctx, guess) };
  return {
    send: { name: 'send', start: (ctx: Context) => send(ctx, request) },
    watch: { name: 'watch', start: (ctx: Context) => watch(ctx, request) },
    verify: scenario.codeIsVerified ? verify : undefined,
    refusal,
    receiptJob,
  };
}
