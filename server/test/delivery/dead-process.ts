import assert from 'node:assert/strict';
import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import { type Reservation, reserve } from '../../src/delivery/reserve-store.ts';
import type { Settlement } from '../../src/delivery/settle-store.ts';
import {
  claimFallback,
  findFallbackMessage,
  type WatchedMessage,
} from '../../src/delivery/watch-store.ts';
import { type MessageId, newId } from '../../src/ids.ts';
import type { Phone } from '../../src/phone.ts';
import type { TestKey, useService } from '../harness.ts';

type Service = Pick<ReturnType<typeof useService>, 'ctx'>;

type DeadSend = { key: TestKey; phone: string; id?: MessageId; prices?: number[]; code?: string };

/** What a send of a code reserves. */
export function reservationOf({ ctx }: Service, send: DeadSend): Reservation {
  const { key, code = '123456' } = send;
  const phone = send.phone.slice(1) as Phone;
  const identity = { keyId: key.keyId, phone, purpose: 'default' };
  return {
    id: send.id ?? newId(Date.now()),
    companyId: key.companyId,
    keyId: key.keyId,
    kind: 'otp',
    isTest: false,
    recipient: phone,
    route: CHANNELS,
    prices: send.prices ?? [3, 3, 8],
    requestId: 'req_dead',
    lookSeconds: 31,
    body: null,
    limits: { gap: { seconds: 60, max: 1 }, hourMax: 10, dayMax: 20 },
    code: {
      purpose: 'default',
      mac: () => ctx.secrets.macOfCode(identity, code),
      sealed: () => ctx.secrets.seal(code),
      ttlSeconds: 300,
    },
    link: null,
  };
}

/** A send whose process died after the reservation: nobody knows whether anything left. */
export async function reserveThenDie(service: Service, send: DeadSend): Promise<MessageId> {
  const reservation = reservationOf(service, send);
  const reserved = await service.ctx.db.inGroup(reserve, reservation);
  assert.equal(reserved.verdict, 'reserved');
  return reservation.id;
}

/** What the process would have written, had it lived. */
export function acceptance(key: TestKey, id: MessageId, price = 3): Settlement {
  return {
    companyId: key.companyId,
    id,
    state: 'sent',
    channel: 'whatsapp',
    price,
    providerId: 'late',
    reason: null,
    route: 'telegram,sms',
    attempts: [],
  };
}

/** The channel has not confirmed this message for longer than the fallback time. */
export async function stayedSilent({ ctx }: Service, message: WatchedMessage): Promise<void> {
  await ctx.db.query(
    `update message set settled_at = settled_at - interval '31 seconds'
     where company_id = $1 and id = $2`,
    [message.company_id, message.id],
  );
}

/** A fallback whose process died after it claimed the channel. */
export async function claimThenDie(
  service: Service,
  message: WatchedMessage,
  next: { channel: Channel; route: string; price: number },
): Promise<void> {
  await stayedSilent(service, message);
  const claim = await claimFallback(service.ctx.db, message, {
    ...next,
    attempt: message.attempt,
    leaseSeconds: 20,
  });
  assert.equal(claim.verdict, 'claimed');
}

export async function readMessage(
  { ctx }: Service,
  key: TestKey,
  id: unknown,
): Promise<WatchedMessage> {
  const message = await findFallbackMessage(ctx.db, key.companyId, id as MessageId);
  assert(message, `no message ${id}`);
  return message;
}
