/** Nodes of the service with the SMS pumping guard, and readers of what it recorded. */
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { guardOnce } from '../../src/abuse/guard-rounds.ts';
import { listDecisions } from '../../src/abuse/guard-store.ts';
import type { GuardMode } from '../../src/config/values.ts';
import { createHttpServer } from '../../src/http/transport/server.ts';
import {
  type ApiAnswer,
  createApiCaller,
  runConcurrently,
  type TestKey,
  useService,
} from '../harness.ts';
import { openContext } from '../money/two-nodes.ts';
import { scriptedChannels } from './scripted-channel.ts';

export const channels = scriptedChannels();
const closers: (() => Promise<unknown>)[] = [];
// Registered before the hook of the service, so that the nodes close before the database.
after(async () => {
  for (const close of closers) await close();
});
export const service = useService({ providers: channels });

/** Starts another process of the service. */
export async function startNode(mode: GuardMode) {
  const { ctx, sandbox, close } = openContext(service, channels);
  ctx.config = { ...ctx.config, pumpingGuard: mode };
  const http = createHttpServer(ctx, sandbox);
  await http.ready();
  closers.push(() => http.close(), close);
  await guardOnce(ctx);
  const call = createApiCaller(() => ({ http }));
  return {
    ctx,
    round: () => guardOnce(ctx),
    send: (key: TestKey, phone: string, channel: string): Promise<ApiAnswer> =>
      call('/otp/send', { phone, channel }, key),
    sendLink: (key: TestKey, phone: string, channel: string): Promise<ApiAnswer> =>
      call('/links/send', { phone, channel, url: 'https://shop.kz' }, key),
    verify(key: TestKey, phone: string): Promise<ApiAnswer> {
      const message = [...channels.whatsapp.sentTo(phone), ...channels.sms.sentTo(phone)][0];
      return call('/otp/verify', { phone, code: message?.code }, key);
    },
  };
}
type Node = Awaited<ReturnType<typeof startNode>>;

export const richKey = (settings: Parameters<typeof service.key>[0] = {}) =>
  service.key({ balance: 1_000, ...settings });

export async function sendCodes(node: Node, key: TestKey, count: number): Promise<string[]> {
  const phones = Array.from({ length: count }, service.phone);
  const answers = await runConcurrently(count, (i) =>
    node.send(key, String(phones[i]), 'whatsapp'),
  );
  for (const answer of answers) assert.equal(answer.status, 200);
  return phones;
}

/** Moves all counts into the past, in two steps so that no minute collides with an existing one. */
export async function ageCounts(minutes: number): Promise<void> {
  await service.sql(`update guard_count set minute = minute - interval '1000 days';
    update guard_count set minute = minute + interval '1000 days' - interval '${minutes} minutes'`);
}

/** Adds the counts of codes that another node recorded some minutes ago. */
export async function addCounts(key: TestKey, sent: number, verified: number): Promise<void> {
  await service.sql(
    `insert into guard_count (minute, company_id, prefix, sent, verified)
     values (date_trunc('minute', clock_timestamp()) - interval '5 minutes', $1, '7701', $2, $3)`,
    [key.companyId, sent, verified],
  );
}

export async function readCounts({ companyId }: TestKey) {
  const rows = await service.sql<{ sent: number; verified: number }>(
    `select sum(sent)::integer as sent, sum(verified)::integer as verified from guard_count
     where company_id = $1`,
    [companyId],
  );
  return rows[0];
}

export async function readDecisions({ companyId }: TestKey) {
  const found = await listDecisions(service.ctx.db, { companyId, max: 10 });
  // There are two rows when the sends span two minutes.
  const total = (what: 'sends' | 'probes') => found.reduce((sum, row) => sum + row[what], 0);
  return {
    rows: found.length,
    newest: found[0],
    sends: total('sends'),
    probes: total('probes'),
  };
}

export async function assertBlocked(answer: ApiAnswer): Promise<void> {
  assert.equal(answer.status, 403, JSON.stringify(answer.body));
  assert.equal(answer.body.error_code, 'blocked_by_fraud_guard');
}

/** A company whose codes nobody verifies, and a node that has used this minute's probe. */
export async function startWithSuspect(
  mode: GuardMode,
  settings: Parameters<typeof service.key>[0] = {},
) {
  const key = await richKey(settings);
  await addCounts(key, 60, 0);
  const node = await startNode(mode);
  if (mode === 'block') assert.equal((await node.send(key, service.phone(), 'sms')).status, 200);
  return { key, node };
}
