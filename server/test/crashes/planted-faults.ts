/**
 * Faults that a careless change could introduce, as patches of the loaded source or of a database
 * function. Each names the invariant by which the checker must find it. They prove that the checker
 * can fail.
 */
import type { InvariantId } from '../checker/check.ts';
import type { LoadName } from './fault-loads.ts';

export type Patch = { file: string; find: string; put: string };
export type SqlPatch = { function: string; find: string; put: string };

export type PlantedFault = {
  name: string;
  caughtBy: InvariantId;
  load: LoadName;
  source?: readonly Patch[];
  sql?: readonly SqlPatch[];
};

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: 'a settled message is settled again',
    caughtBy: 'M5',
    load: 'lost answers of settle',
    sql: [
      {
        function: 'settle',
        find: "where m.company_id = any (array[i.company]) and m.id = i.id and m.state = 'sending'",
        put: 'where m.company_id = any (array[i.company]) and m.id = i.id',
      },
    ],
  },
  {
    name: 'recovery charges a send whose result no client can learn',
    caughtBy: 'M12',
    load: 'a crash after the call',
    source: [
      {
        file: 'delivery/recover.ts',
        find: 'isAskedFor && (await hasOpenClaim(ctx.db, message.id))',
        put: 'isAskedFor',
      },
    ],
  },
  {
    name: 'a restart loses an open refusal',
    caughtBy: 'M9',
    load: 'a shutdown with an open refusal',
    source: [
      {
        file: 'db/durable-queue.ts',
        find: 'let batches = await readBatches<Item>(folder, log);',
        put: 'let batches: Batch<Item>[] = [];',
      },
    ],
  },
  {
    name: 'a refusal does not refund an earlier charge',
    caughtBy: 'M9',
    load: 'a shutdown with an open refusal',
    sql: [
      {
        function: 'refuse_sends',
        find: "and m.id = i.id and m.state = 'sent' and not exists (",
        put: 'and m.id = i.id and false and not exists (',
      },
    ],
  },
  {
    name: 'an unknown outcome is charged',
    caughtBy: 'M9',
    load: 'channels that lose the message',
    source: [
      {
        file: 'delivery/send-by-route.ts',
        find: "state: accepted !== undefined ? 'sent' : isDefinite ? 'failed' : 'unknown',",
        put: "state: accepted !== undefined || !isDefinite ? 'sent' : 'failed',",
      },
      {
        file: 'delivery/send-by-route.ts',
        find: 'price: accepted?.price ?? 0,',
        put: 'price: accepted?.price ?? last?.price ?? 0,',
      },
      {
        file: 'delivery/send-by-route.ts',
        find: "if (settled.state === 'sent') throw await refuse(ctx, request, 'delivery_unconfirmed');",
        put: '',
      },
    ],
  },
  {
    name: 'the hold of a refused send stays',
    caughtBy: 'M7',
    load: 'channels that refuse',
    sql: [
      {
        function: 'settle',
        find: 'returning i.n, i.held, m.charged, m.state',
        put: "returning i.n, case m.state when 'sent' then i.held else 0 end as held, m.charged, m.state",
      },
    ],
  },
  {
    name: 'a channel that did not answer is called again',
    caughtBy: 'D1',
    load: 'lost answers of channels',
    source: [
      {
        file: 'delivery/deliver.ts',
        find: 'ask(message, signal),',
        put: `ask(message, signal).then((first) =>
        first.result === 'unknown' ? adapter.send(message, signal) : first,
      ),`,
      },
    ],
  },
  {
    name: 'the channel is called before the reservation is committed',
    caughtBy: 'M10',
    load: 'concurrent sends to a few phones',
    source: [
      {
        file: 'delivery/send-by-route.ts',
        find: `const affordable = await traced(ctx.tracer, { name: 'reserve' }, () =>
    reserveOrRefuse(ctx, request),
  );`,
        put: `const reserving = reserveOrRefuse(ctx, request);
  reserving.catch(() => undefined);`,
      },
      {
        file: 'delivery/send-by-route.ts',
        find: '    affordable,\n  );',
        put: '    request.route,\n  );\n  await reserving;',
      },
    ],
  },
  {
    name: 'a send of a dead process is sent again',
    caughtBy: 'D1',
    load: 'a crash after the call',
    source: [
      {
        file: 'delivery/watch.ts',
        find: 'if (message.age_seconds < LEASE_SECONDS) return;',
        put: `if (message.age_seconds < LEASE_SECONDS) return;
  await ctx.channels.adapter('whatsapp', false)?.send(
    {
      ref: { companyId: message.company_id, messageId: message.id, attempt: 1 },
      keyId: message.key_id, isTest: false, to: { phone: message.recipient as Phone },
      content: 'code', text: 'again', language: 'ru',
    },
    new AbortController().signal,
  );`,
      },
    ],
  },
  {
    name: 'a right code is not used up',
    caughtBy: 'O1',
    load: 'the right code many times at once',
    sql: [{ function: 'verify', find: 'c_is_verified[k] := true;', put: '' }],
  },
  {
    name: 'guesses are counted from a stale row',
    caughtBy: 'O2',
    load: 'parallel guesses',
    sql: [
      {
        function: 'verify',
        find: 'elsif c_wrong[k] >= p_per_code then',
        put: 'elsif r.wrong >= p_per_code then',
      },
      {
        function: 'verify',
        find: 'elsif r.in_hour + c_added[k] >= p_per_hour then',
        put: 'elsif r.in_hour >= p_per_hour then',
      },
    ],
  },
  {
    name: 'the one-minute limit does not count concurrent sends',
    caughtBy: 'D2',
    load: 'concurrent sends to a few phones',
    sql: [
      {
        function: 'reserve',
        find: 'v_added := v_added + (coalesce(r.gap_max, r.day_max) is not null)::integer;',
        put: 'v_added := 0;',
      },
    ],
  },
  {
    name: 'a new code resets the hourly count of wrong guesses',
    caughtBy: 'O2',
    load: 'guesses over several codes',
    sql: [
      {
        function: 'reserve',
        find: 'verified_by = null, wrong = 0',
        put: "verified_by = null, wrong = 0, failed_at = '{}'",
      },
    ],
  },
  {
    name: 'a send is acknowledged before it is committed',
    caughtBy: 'H1',
    load: 'a crash before settle',
    source: [
      {
        file: 'delivery/send-by-route.ts',
        find: 'const settled = await ',
        put: 'const settling = ',
      },
      {
        file: 'delivery/send-by-route.ts',
        find: "if (settled.state === 'sent' && delivery",
        put: `settling.catch(() => undefined);
  const charged = delivery.accepted?.price ?? 0;
  const settled: Settled = { isMoved: true, state: 'sent', charged, balance: 0 };
  if (settled.state === 'sent' && delivery`,
      },
    ],
  },
  {
    name: 'a receipt before the answer of its channel is dropped',
    caughtBy: 'D6',
    load: 'receipts before answers',
    sql: [
      {
        function: 'record_receipts',
        find: "where i.state = 'sending';",
        put: "where i.state = 'sending' and false;",
      },
    ],
  },
  {
    name: 'the fallback uses a disabled channel',
    caughtBy: 'D5',
    load: 'a channel disabled after the send',
    source: [
      {
        file: 'delivery/fall-back.ts',
        find: 'if (!key.channels.includes(channel) || isStopped) continue;',
        put: 'if (isStopped) continue;',
      },
    ],
  },
  {
    name: 'the charge is the hold instead of the price',
    caughtBy: 'M11',
    load: 'plain sends',
    sql: [
      {
        function: 'settle',
        find: "charged = case when i.state = 'sent' then i.price else 0 end,",
        put: "charged = case when i.state = 'sent' then i.held else 0 end,",
      },
    ],
  },
  {
    name: 'the answer of an Idempotency-Key is not stored',
    caughtBy: 'I1',
    load: 'a repeated request',
    source: [
      {
        file: 'idempotency/run-idempotently.ts',
        find: 'answer.isFinal ? keepAnswer(ctx.db, ref, answer) : dropClaim(ctx.db, ref);',
        put: 'dropClaim(ctx.db, ref);',
      },
    ],
  },
];
