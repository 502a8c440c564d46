import { after } from 'node:test';
import { EVENT_TYPES, type EventType } from '@zhiber/contract/api/events.ts';
import type { Context } from '../../src/context.ts';
import type { CompanyId } from '../../src/ids.ts';
import { newId } from '../../src/ids.ts';
import { createWebhookWorker, type WebhookDeps } from '../../src/webhooks/deliver-webhooks.ts';
import { createWebhook } from '../../src/webhooks/manage-webhooks.ts';
import type { useService } from '../harness.ts';
import { type Answer, type Receiver, startReceiver } from './receiver.ts';

export type Letter = { to: string; subject: string; text: string };

/** Webhooks of a service, with a worker that a test runs itself. */
export function createWebhookRig(service: ReturnType<typeof useService>) {
  const receivers: Receiver[] = [];
  const workers: ReturnType<typeof createWebhookWorker>[] = [];
  const letters: Letter[] = [];
  const outcomes: string[] = [];
  after(async () => {
    for (const worker of workers) await worker.stop();
    for (const receiver of receivers) await receiver.close();
  });

  const receiver = async (answer?: Answer) => {
    const started = await startReceiver(answer);
    receivers.push(started);
    return started;
  };

  const worker = (deps: Partial<WebhookDeps> = {}, changes: Partial<Context> = {}) => {
    const created = createWebhookWorker(
      { ...service.ctx, ...changes },
      {
        mailer: { isOn: true, send: (letter) => void letters.push(letter) },
        onTry: (outcome) => void outcomes.push(outcome),
        ...deps,
      },
    );
    workers.push(created);
    return created;
  };

  /** Runs until nothing is due and no call is under way. */
  const deliverAll = async (running: ReturnType<typeof createWebhookWorker>) => {
    while (await running.runOnce());
    await running.idle();
  };

  const endpoint = async (
    companyId: CompanyId,
    url: string,
    { events = [...EVENT_TYPES] as EventType[], showsPhones = false } = {},
  ) => {
    const settings = { url, events, description: '', showsPhones };
    return await createWebhook(service.ctx, {}, { companyId, ...settings });
  };

  /** Events without the sends that would cause them. */
  const addEvents = async (companyId: CompanyId, count: number) => {
    for (let i = 0; i < count; i++) {
      const data = { balance: i, threshold: 1_000 };
      await service.sql(
        `insert into webhook_outbox (id, company_id, type, data) values ($1, $2, 'balance.low', $3)`,
        [newId(Date.now()), companyId, data],
      );
    }
  };

  /** Simulates the passing of time for everything about webhooks. */
  const passTime = async (seconds: number) => {
    const by = `make_interval(secs => ${seconds})`;
    await service.sql(`update webhook_delivery set next_try_at = next_try_at - ${by};
      update webhook_endpoint set failing_since = failing_since - ${by}, previous_until = previous_until - ${by},
        paused_until = paused_until - ${by}`);
  };

  const deliveries = (endpointId: number) =>
    service.sql<{
      state: string;
      tries: number;
      error: string | null;
      status: number | null;
      seconds: number | null;
    }>(
      `select state::text, tries, error, status,
         round(extract(epoch from next_try_at - clock_timestamp()))::integer as seconds
       from webhook_delivery where endpoint_id = $1 order by event_id`,
      [endpointId],
    );

  return {
    receiver,
    worker,
    deliverAll,
    endpoint,
    addEvents,
    passTime,
    deliveries,
    letters,
    outcomes,
  };
}
