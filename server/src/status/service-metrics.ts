import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Metrics } from '../context.ts';
import type { Sql } from '../db/sql.ts';
import { timeOfId } from '../ids.ts';
import type { LiveNodes } from '../runtime/live-nodes.ts';
import { type MoneySums, sumMoney } from './money-store.ts';

const REQUEST_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** A receipt of a messenger comes within seconds; a phone may be off for a day. */
const DELIVERY_SECONDS = [1, 2, 5, 10, 20, 30, 60, 300, 3_600, 86_400];
/** The sums over all companies are read at most so often, however often somebody scrapes. */
const SUMS_TTL_MS = 60_000;

/**
 * What this process counts for Prometheus, beside its providers and webhooks. Companies, phones and
 * ids are no labels: there may be thousands of them.
 */
export function createServiceMetrics(
  registry: Registry,
  { db, nowMs, nodes }: { db: Sql; nowMs(): number; nodes: Pick<LiveNodes, 'list'> },
): Metrics {
  const registers = [registry];
  const requests = new Counter({
    name: 'zhiber_http_requests_total',
    help: 'Answered requests by route, status and error code of the API.',
    labelNames: ['route', 'status', 'code'] as const,
    registers,
  });
  const durations = new Histogram({
    name: 'zhiber_http_seconds',
    help: 'How long requests took.',
    labelNames: ['route'] as const,
    buckets: REQUEST_SECONDS,
    registers,
  });
  const receipts = new Counter({
    name: 'zhiber_receipts_total',
    help: 'Receipts of messages that were new, by provider.',
    labelNames: ['provider', 'receipt'] as const,
    registers,
  });
  const deliveries = new Histogram({
    name: 'zhiber_delivery_seconds',
    help: 'From the request to the receipt of the delivery.',
    labelNames: ['provider'] as const,
    buckets: DELIVERY_SECONDS,
    registers,
  });
  const charged = new Counter({
    name: 'zhiber_charged_tokens_total',
    help: 'Tokens charged when a channel accepted a message. A later fallback may move a charge.',
    labelNames: ['channel'] as const,
    registers,
  });
  const balances = new Gauge({
    name: 'zhiber_provider_balance',
    help: 'The money left at a provider, where its API tells it.',
    labelNames: ['provider', 'currency'] as const,
    aggregator: 'max',
    registers,
  });
  watchNodes(registry, nodes);
  watchMoney(registry, db, nowMs);

  return {
    answered({ route, status, errorCode, seconds }) {
      requests.inc({ route, status, code: errorCode ?? '' });
      durations.observe({ route }, seconds);
    },
    received({ provider, receipt, messageId }) {
      receipts.inc({ provider, receipt });
      if (receipt !== 'delivered') return;
      deliveries.observe(
        { provider },
        Math.max(0, nowMs() - timeOfId(messageId).getTime()) / 1_000,
      );
    },
    charged: (channel, tokens) => charged.inc({ channel }, tokens),
    providerBalance(provider, text) {
      const [amount, currency = ''] = text.split(' ');
      if (amount !== undefined && Number.isFinite(Number(amount))) {
        balances.set({ provider, currency }, Number(amount));
      }
    },
  };
}

function watchNodes(registry: Registry, nodes: Pick<LiveNodes, 'list'>): void {
  new Gauge({
    name: 'zhiber_nodes',
    help: 'Processes of the service that run on this database, by version and role.',
    labelNames: ['version', 'role'] as const,
    // Every process counts all of them.
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.reset();
      for (const { version, role } of nodes.list()) this.inc({ version, role: role ?? 'unknown' });
    },
  });
}

/** While the database is away these are missing, and the others are still there. */
function watchMoney(registry: Registry, db: Sql, nowMs: () => number): void {
  let kept: { sums: Promise<MoneySums | undefined>; atMs: number } | undefined;
  const readSums = () => {
    if (kept === undefined || nowMs() - kept.atMs >= SUMS_TTL_MS) {
      kept = { sums: sumMoney(db).catch(() => undefined), atMs: nowMs() };
    }
    return kept.sums;
  };
  new Gauge({
    name: 'zhiber_account_tokens',
    help: 'Tokens of all companies together: their balances, what is held of them, and their debts.',
    labelNames: ['kind'] as const,
    aggregator: 'max',
    registers: [registry],
    async collect() {
      this.reset();
      const sums = await readSums();
      if (sums === undefined) return;
      this.set({ kind: 'balance' }, sums.balance);
      this.set({ kind: 'held' }, sums.held);
      this.set({ kind: 'debt' }, sums.debt);
    },
  });
  new Counter({
    name: 'zhiber_payment_tokens_total',
    help: 'Tokens of all payments that were credited, without bonuses, and of those refunded.',
    labelNames: ['kind'] as const,
    aggregator: 'max',
    registers: [registry],
    async collect() {
      this.reset();
      const sums = await readSums();
      if (sums === undefined) return;
      this.inc({ kind: 'credited' }, sums.credited);
      this.inc({ kind: 'refunded' }, sums.refunded);
    },
  });
}
