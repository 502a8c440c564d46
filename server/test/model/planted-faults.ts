import assert from 'node:assert/strict';
import type { ChannelAdapter } from '../../src/channels/channel.ts';
import type { Context } from '../../src/context.ts';
import type { Sql } from '../../src/db/group-commit.ts';
import { deliver } from '../../src/delivery/deliver.ts';
import { LEASE_SECONDS } from '../../src/delivery/fall-back.ts';
import { type SendRequest, sendMessage } from '../../src/delivery/send-message.ts';
import { settleSurely } from '../../src/delivery/watch.ts';
import { takeDue } from '../../src/delivery/watch-store.ts';
import type { Scenario, Variant } from './scenario.ts';

/** A change of one of the functions in the database: what stands there, and what is put instead. */
export type Patch = { function: string; from: string; to: string };

export type PlantedFault = {
  name: string;
  /** What has to happen besides crashes. */
  needs: Partial<Scenario>;
  finds: string;
} & ({ patch: Patch; variant?: never } | { variant: Variant; patch?: never });

const TWO_CHANNELS = ['whatsapp', 'sms'] as const;
const RECEIPTS = ['failed', 'delivered'] as const;

/** Ordinary queues do this: what nobody has finished in time is done again. */
async function watchThatSendsAgain(ctx: Context, request: SendRequest): Promise<void> {
  const due = await takeDue(ctx.db, { limit: 1, leaseSeconds: LEASE_SECONDS });
  for (const message of due) {
    if (message.state !== 'sending' || message.age_seconds < LEASE_SECONDS) continue;
    const { accepted } = await deliver(ctx, parcelOf(request), request.route);
    await settleSurely(ctx, {
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

async function sendThatAsksFirst(ctx: Context, request: SendRequest): Promise<unknown> {
  await deliver(ctx, parcelOf(request), request.route.slice(0, 1));
  return await sendMessage(ctx, { ...request, route: request.route.slice(1) });
}

async function sendThatTriesAgain(ctx: Context, request: SendRequest): Promise<unknown> {
  const again = (adapter: ChannelAdapter): ChannelAdapter => ({
    ...adapter,
    async send(message, signal) {
      const outcome = await adapter.send(message, signal);
      return outcome.result === 'unknown' ? await adapter.send(message, signal) : outcome;
    },
  });
  const adapter: Context['channels']['adapter'] = (...args) => {
    const found = ctx.channels.adapter(...args);
    return found && again(found);
  };
  return await sendMessage({ ...ctx, channels: { ...ctx.channels, adapter } }, request);
}

function parcelOf({ key, messageId, parcel }: SendRequest) {
  const ref = { companyId: key.companyId, messageId, attempt: 1 };
  return { ...parcel, ref, keyId: key.id, isTest: key.isTest };
}

const BLIND_CHARGE = `
  if 'delivered' = any (p_receipt) then
    perform post_entry(m.company_id, 'charge', -3, uuidv7()) from message m where m.id = any (p_id);
    update message m set state = 'sent', channel = 'whatsapp', charged = 3 where m.id = any (p_id);
  end if;`;

export const PLANTED_FAULTS: PlantedFault[] = [
  {
    name: 'B: what was not finished in time is sent again',
    variant: { watch: watchThatSendsAgain },
    needs: {},
    finds: 'a provider was asked twice for one message',
  },
  {
    name: 'C: a message is settled whatever its state is',
    patch: { function: 'settle', from: ` and m.state = 'sending'`, to: '' },
    needs: { losesAnswers: true },
    finds: 'a message was charged twice',
  },
  {
    name: 'D: the provider is asked before the reservation is committed',
    variant: { send: sendThatAsksFirst },
    needs: { channels: TWO_CHANNELS },
    finds: 'asked before it was committed',
  },
  {
    name: 'E: a provider that has not answered in time is asked again',
    variant: { send: sendThatTriesAgain },
    needs: {},
    finds: 'a provider was asked twice for one message',
  },
  {
    name: 'F: a receipt settles and charges blindly',
    patch: {
      function: 'record_plain_receipts',
      from: 'begin',
      to: `begin${BLIND_CHARGE}`,
    },
    needs: { receipts: RECEIPTS },
    finds: 'a message was charged twice',
  },
  {
    name: 'the hold of a settled message stays',
    patch: { function: 'settle', from: 'held = a.held - s.held, balance', to: 'balance' },
    needs: {},
    finds: 'what is held is not the open holds',
  },
  {
    name: 'a parked receipt is never looked at again',
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
    name: 'the watch looks at a message once',
    patch: {
      function: 'take_due',
      from: 'set look_at = v_now + make_interval(secs => p_lease_seconds)',
      to: `set look_at = v_now - interval '1 day'`,
    },
    needs: {},
    finds: 'a message stays under way',
  },
  {
    name: 'a later attempt is settled whatever its state is',
    patch: {
      function: 'settle_fallback',
      from: `and a.number = p_attempt and a.state = 'sending';`,
      to: 'and a.number = p_attempt;',
    },
    needs: { channels: TWO_CHANNELS },
    finds: 'a settled attempt was settled again',
  },
  {
    name: 'a channel is claimed by a worker that knows of an older attempt',
    patch: { function: 'claim_fallback', from: 'or v_message.attempt <> p_attempt', to: '' },
    needs: { channels: TWO_CHANNELS },
    finds: 'the database refused a statement: 23505',
  },
  {
    name: 'the copy of a code outlives its last use',
    patch: {
      function: 'take_due',
      from: 'and c.sealed is not null',
      to: 'and false',
    },
    needs: { channels: TWO_CHANNELS, receipts: RECEIPTS },
    finds: 'a copy of the code stays',
  },
  {
    name: 'a used code keeps its copy',
    patch: {
      function: 'verify',
      from: 'sealed = case when not i.is_verified then c.sealed end',
      to: 'sealed = c.sealed',
    },
    needs: { channels: TWO_CHANNELS, codeIsVerified: true },
    finds: 'a used code keeps a copy',
  },
  {
    name: 'a claim holds nothing for the dearer channel',
    patch: {
      function: 'claim_fallback',
      from: 'set held = a.held + v_extra',
      to: 'set held = a.held',
    },
    needs: { channels: TWO_CHANNELS },
    finds: 'what is held is not the open holds',
  },
];

/** Puts a fault into the database; returns how to take it out again. */
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
