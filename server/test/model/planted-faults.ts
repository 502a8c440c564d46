import assert from 'node:assert/strict';
import type { ChannelAdapter } from '../../src/channels/channel.ts';
import type { Context } from '../../src/context.ts';
import type { Sql } from '../../src/db/sql.ts';
import { deliver } from '../../src/delivery/deliver.ts';
import { LEASE_SECONDS } from '../../src/delivery/fall-back.ts';
import { type PlannedSend, sendByRoute } from '../../src/delivery/send-by-route.ts';
import { settleWithRetry } from '../../src/delivery/watch.ts';
import { takeDue } from '../../src/delivery/watch-store.ts';
import type { Scenario, Variant } from './scenario.ts';

/** A replacement of text in a database function. */
export type Patch = { function: string; from: string; to: string };

export type PlantedFault = {
  name: string;
  /** The events that the fault needs besides crashes. */
  needs: Partial<Scenario>;
  finds: string;
} & ({ patch: Patch; variant?: never } | { variant: Variant; patch?: never });

const TWO_CHANNELS = ['whatsapp', 'sms'] as const;
const RECEIPTS = ['failed', 'delivered'] as const;

/** An ordinary queue does this: work that is not finished in time is done again. */
async function watchAndResend(ctx: Context, request: PlannedSend): Promise<void> {
  const due = await takeDue(ctx.db, { limit: 1, leaseSeconds: LEASE_SECONDS });
  for (const message of due) {
    if (message.state !== 'sending' || message.age_seconds < LEASE_SECONDS) continue;
    const { accepted } = await deliver(ctx, createDraft(request), request.route);
    await settleWithRetry(ctx, {
      companyId: message.company_id,
      id: message.id,
      state: accepted === undefined ? 'failed' : 'sent',
      channel: accepted?.channel ?? null,
      price: accepted?.price ?? 0,
      providerId: accepted?.providerId ?? null,
      reason: null,
      route: '',
      attempts: [],
    });
  }
}

async function sendBeforeReserving(ctx: Context, request: PlannedSend): Promise<unknown> {
  await deliver(ctx, createDraft(request), request.route.slice(0, 1));
  return await sendByRoute(ctx, { ...request, route: request.route.slice(1) });
}

async function sendAndRetryUnknown(ctx: Context, request: PlannedSend): Promise<unknown> {
  const withRetry = (adapter: ChannelAdapter): ChannelAdapter => ({
    ...adapter,
    async send(message, signal) {
      const outcome = await adapter.send(message, signal);
      return outcome.result === 'unknown' ? await adapter.send(message, signal) : outcome;
    },
  });
  const adapter: Context['channels']['adapter'] = (...args) => {
    const found = ctx.channels.adapter(...args);
    return found && withRetry(found);
  };
  return await sendByRoute({ ...ctx, channels: { ...ctx.channels, adapter } }, request);
}

function createDraft({ key, messageId, draft }: PlannedSend) {
  const ref = { companyId: key.companyId, messageId, attempt: 1 };
  return { ...draft, ref, keyId: key.id, isTest: key.isTest };
}

const UNCHECKED_CHARGE = `
  if 'delivered' = any (p_receipt) then
    perform post_entry(m.company_id, 'charge', -3, uuidv7()) from message m where m.id = any (p_id);
    update message m set state = 'sent', channel = 'whatsapp', charged = 3 where m.id = any (p_id);
  end if;`;

export const PLANTED_FAULTS: PlantedFault[] = [
  {
    name: 'a send that was not finished in time is sent again',
    variant: { watch: watchAndResend },
    needs: {},
    finds: 'a provider was asked twice for one message',
  },
  {
    name: 'a message is settled whatever its state is',
    patch: { function: 'settle', from: ` and m.state = 'sending'`, to: '' },
    needs: { losesAnswers: true },
    finds: 'a message was charged twice',
  },
  {
    name: 'the provider is called before the reservation is committed',
    variant: { send: sendBeforeReserving },
    needs: { channels: TWO_CHANNELS },
    finds: 'asked before it was committed',
  },
  {
    name: 'a provider that has not answered in time is called again',
    variant: { send: sendAndRetryUnknown },
    needs: {},
    finds: 'a provider was asked twice for one message',
  },
  {
    name: 'a receipt settles and charges without checking the state',
    patch: {
      function: 'record_plain_receipts',
      from: 'begin',
      to: `begin${UNCHECKED_CHARGE}`,
    },
    needs: { receipts: RECEIPTS },
    finds: 'a message was charged twice',
  },
  {
    name: 'the hold of a settled message is not released',
    patch: { function: 'settle', from: 'held = a.held - s.held, balance', to: 'balance' },
    needs: {},
    finds: 'what is held is not the open holds',
  },
  {
    name: 'an early receipt is never applied',
    patch: { function: 'settle', from: 'if exists (select 1 from early_receipt)', to: 'if false' },
    needs: { receipts: RECEIPTS },
    finds: 'a parked receipt stays parked',
  },
  {
    name: 'the last receipt wins',
    patch: {
      function: 'record_plain_receipts',
      from: 'and m.id = i.id and (m.receipt is null or m.receipt < i.receipt)',
      to: 'and m.id = i.id',
    },
    needs: { receipts: RECEIPTS },
    finds: 'a receipt moved a message back',
  },
  {
    name: 'the watch checks a message only once',
    patch: {
      function: 'take_due',
      from: 'set next_check_at = v_now + make_interval(secs => p_lease_seconds)',
      to: `set next_check_at = v_now - interval '1 day'`,
    },
    needs: {},
    finds: 'a message stays under way',
  },
  {
    name: 'a later attempt is settled whatever its state is',
    patch: {
      function: 'settle_fallback',
      from: `and a.number = p_attempt and a.state = 'sending'`,
      to: 'and a.number = p_attempt',
    },
    needs: { channels: TWO_CHANNELS },
    finds: 'a settled attempt was settled again',
  },
  {
    name: 'a worker with an outdated attempt number claims a channel',
    patch: { function: 'claim_fallback', from: 'or v_message.attempt <> p_attempt', to: '' },
    needs: { channels: TWO_CHANNELS },
    finds: 'the database refused a statement: 23505',
  },
  {
    name: 'the sealed copy of a code is not wiped after its last use',
    patch: {
      function: 'take_due',
      from: 'and c.sealed is not null',
      to: 'and false',
    },
    needs: { channels: TWO_CHANNELS, receipts: RECEIPTS },
    finds: 'a copy of the code stays',
  },
  {
    name: 'a used code keeps its sealed copy',
    patch: {
      function: 'verify',
      from: 'sealed = case when not i.is_verified then c.sealed end',
      to: 'sealed = c.sealed',
    },
    needs: { channels: TWO_CHANNELS, codeIsVerified: true },
    finds: 'a used code keeps a copy',
  },
  {
    name: 'a claim holds nothing for a more expensive channel',
    patch: {
      function: 'claim_fallback',
      from: 'set held = a.held - v_message.hold + v_extra',
      to: 'set held = a.held - v_message.hold',
    },
    needs: { channels: TWO_CHANNELS },
    finds: 'what is held is not the open holds',
  },
  {
    name: 'a fallback is charged when it is accepted',
    patch: {
      function: 'settle_fallback',
      from: `if not p_has_receipts or v_receipt >= 'delivered' then`,
      to: 'if true then',
    },
    needs: { channels: TWO_CHANNELS },
    finds: 'charged for a later channel that has not delivered',
  },
  {
    name: 'a late delivery by the first channel is charged as the fallback',
    patch: {
      function: 'record_receipts',
      from: 'bool_and(u.attempt = u.latest)',
      to: 'bool_and(true)',
    },
    needs: { channels: TWO_CHANNELS, receipts: RECEIPTS },
    finds: 'charged for a later channel that has not delivered',
  },
  {
    name: 'what was held for a delivery is not released when the watch ends',
    patch: { function: 'end_watch', from: 'if 0 < any (v_holds) then', to: 'if false then' },
    needs: { channels: TWO_CHANNELS },
    finds: 'what is held is not the open holds',
  },
  {
    name: 'what was held for a delivery is not released when it is charged',
    patch: {
      function: 'charge_deliveries',
      from: 'held = a.held - s.held, balance',
      to: 'balance',
    },
    needs: { channels: TWO_CHANNELS, receipts: RECEIPTS },
    finds: 'what is held is not the open holds',
  },
];

/** Plants a fault in the database and returns a function that removes it. */
export async function plant(sql: Sql, patch: Patch): Promise<() => Promise<void>> {
  const [row] = await sql.query<{ text: string }>(
    'select pg_get_functiondef(oid) as text from pg_proc where proname = $1',
    [patch.function],
  );
  const text = row?.text ?? '';
  const parts = text.split(patch.from);
  assert.equal(parts.length, 2, `${patch.function} does not hold, once: ${patch.from}`);
  await sql.query(parts.join(patch.to));
  return async () => {
    await sql.query(text);
  };
}
