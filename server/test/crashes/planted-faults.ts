/**
 * Faults that a careless change could bring into the service, as patches for tests alone: of the
 * source as it is loaded, or of a function of the database. For each stands the invariant by which
 * the checker has to find it. A checker that has never failed proves nothing.
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
    name: 'settle moves what is settled already',
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
    name: 'recovery charges what nobody can be told of',
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
    name: 'a refusal is forgotten by the next start',
    caughtBy: 'M9',
    load: 'a stop before a refusal is carried out',
    source: [
      {
        file: 'db/durable-queue.ts',
        find: 'let batches = await readBatches<Item>(folder, log);',
        put: 'let batches: Batch<Item>[] = [];',
      },
    ],
  },
  {
    name: 'a refusal leaves what was charged already',
    caughtBy: 'M9',
    load: 'a stop before a refusal is carried out',
    sql: [
      {
        function: 'refuse_sends',
        find: "and m.state = 'sent' and m.hold = 0 and not exists (",
        put: "and m.state = 'sent' and false and not exists (",
      },
    ],
  },
  {
    name: 'an unknown outcome is charged',
    caughtBy: 'M9',
    load: 'channels that lose the message',
    source: [
      {
        file: 'delivery/send-message.ts',
        find: "state: accepted !== undefined ? 'sent' : isDefinite ? 'failed' : 'unknown',",
        put: "state: accepted !== undefined || !isDefinite ? 'sent' : 'failed',",
      },
      {
        file: 'delivery/send-message.ts',
        find: 'price: accepted?.price ?? 0,',
        put: 'price: accepted?.price ?? last?.price ?? 0,',
      },
      {
        file: 'delivery/send-message.ts',
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
    name: 'a channel that did not answer is asked again',
    caughtBy: 'D1',
    load: 'answers of channels lost',
    source: [
      {
        file: 'delivery/deliver.ts',
        find: 'return await Promise.race([sending, tooLate]);',
        put: `const first = await Promise.race([sending, tooLate]);
    if (first.result !== 'unknown') return first;
    return await adapter.send({ ...rest, ...compose(channel) }, timeout.signal);`,
      },
    ],
  },
  {
    name: 'the channel is asked before the reservation is committed',
    caughtBy: 'M10',
    load: 'crowds on one phone each',
    source: [
      {
        file: 'delivery/send-message.ts',
        find: 'const affordable = await reserveOrRefuse(ctx, request);',
        put: `const reserving = reserveOrRefuse(ctx, request);
  reserving.catch(() => undefined);`,
      },
      {
        file: 'delivery/send-message.ts',
        find: '    affordable,\n  );',
        put: '    request.route,\n  );\n  await reserving;',
      },
    ],
  },
  {
    name: 'what a dead process left is sent again',
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
      load: 'code', text: 'again', language: 'ru',
    },
    new AbortController().signal,
  );`,
      },
    ],
  },
  {
    name: 'a right code is not used up',
    caughtBy: 'O1',
    load: 'a right code twice',
    sql: [{ function: 'verify', find: 'c_is_verified[k] := true;', put: '' }],
  },
  {
    name: 'guesses are counted by the row as it was, not as it is',
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
    name: "the minute's gate looks first and counts later",
    caughtBy: 'D2',
    load: 'crowds on one phone each',
    sql: [
      {
        function: 'reserve',
        find: 'v_added := v_added + (coalesce(r.gap_max, r.day_max) is not null)::integer;',
        put: 'v_added := 0;',
      },
    ],
  },
  {
    name: 'a new code forgives the failures of the hour',
    caughtBy: 'O2',
    load: 'guesses at code after code',
    sql: [
      {
        function: 'reserve',
        find: 'verified_by = null, wrong = 0;',
        put: "verified_by = null, wrong = 0, failed_at = '{}';",
      },
    ],
  },
  {
    name: 'a send is acknowledged before it is committed',
    caughtBy: 'H1',
    load: 'a crash before settle',
    source: [
      {
        file: 'delivery/send-message.ts',
        find: 'const settled = await ',
        put: 'const settling = ',
      },
      {
        file: 'delivery/send-message.ts',
        find: "if (settled.state === 'sent' && delivery",
        put: `settling.catch(() => undefined);
  const charged = delivery.accepted?.price ?? 0;
  const settled: Settled = { isMoved: true, state: 'sent', charged, balance: 0 };
  if (settled.state === 'sent' && delivery`,
      },
    ],
  },
  {
    name: 'a receipt that comes before its answer is dropped',
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
    name: 'the fallback uses a channel that was switched off',
    caughtBy: 'D5',
    load: 'a channel switched off',
    source: [
      {
        file: 'delivery/fall-back.ts',
        find: 'if (!key.channels.includes(channel) || key.isRevoked) continue;',
        put: 'if (key.isRevoked) continue;',
      },
    ],
  },
  {
    name: 'the charge is what was held',
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
    name: 'the answer to an Idempotency-Key is not kept',
    caughtBy: 'I1',
    load: 'a request repeated',
    source: [
      {
        file: 'limits/once.ts',
        find: 'answer.isFinal ? keepAnswer(ctx.db, ref, answer) : dropClaim(ctx.db, ref);',
        put: 'dropClaim(ctx.db, ref);',
      },
    ],
  },
];
