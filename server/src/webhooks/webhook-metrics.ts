import { TRY_OUTCOMES, type TryOutcome } from '@zhiber/contract/cabinet/webhooks.ts';
import { Counter, Histogram, type Registry } from 'prom-client';

const BUCKET_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts the tries of this process. Endpoints are no labels: there may be thousands of them. */
export function createWebhookMetrics(
  registry: Registry,
): (outcome: TryOutcome, seconds: number) => void {
  const attempts = new Counter({
    name: 'zhiber_webhook_attempts_total',
    help: 'Calls of webhook endpoints, by outcome.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'zhiber_webhook_seconds',
    help: 'How long calls of webhook endpoints took.',
    buckets: BUCKET_SECONDS,
    registers: [registry],
  });
  // A rate needs a first value before the first failure.
  for (const outcome of TRY_OUTCOMES) attempts.inc({ outcome }, 0);
  return (outcome, seconds) => {
    attempts.inc({ outcome });
    duration.observe(seconds);
  };
}
