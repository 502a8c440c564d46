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

type CrashedSend = {
  key: TestKey;
  phone: string;
  id?: MessageId;
  prices?: number[];
  code?: string;
};

export type Sent = { key: TestKey; phone: string; id: MessageId };

/** Sends a code from a new company to a new phone. */
export async function sendCode(
  service: ReturnType<typeof useService>,
  settings: Parameters<typeof service.key>[0] = {},
): Promise<Sent> {
  const key = await service.key(settings);
  const phone = service.phone();
  const sent = await service.call('/otp/send', { phone }, key);
  assert.equal(sent.status, 200);
  return { key, phone, id: sent.body.message_id as MessageId };
}

/** The reservation that sending a code makes. */
export function reservationOf({ ctx }: Service, send: CrashedSend): Reservation {
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
    checkSeconds: 31,
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

/** A send whose process died after the reservation, so whether the message left is unknown. */
export async function reserveThenDie(service: Service, send: CrashedSend): Promise<MessageId> {
  const reservation = reservationOf(service, send);
  const reserved = await service.ctx.db.inGroup(reserve, reservation);
  assert.equal(reserved.verdict, 'reserved');
  return reservation.id;
}

/** The settlement that the dead process would have written. */
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

/** Makes a message older than the fallback time, with no receipt from its channel. */
export async function exceedFallbackTime({ ctx }: Service, message: WatchedMessage): Promise<void> {
  await ctx.db.query(
    `update message set settled_at = settled_at - interval '31 seconds'
     where company_id = $1 and id = $2`,
    [message.company_id, message.id],
  );
}

/** A fallback whose process died after claiming the next channel. */
export async function claimThenDie(
  service: Service,
  message: WatchedMessage,
  next: { channel: Channel; route: string; price: number },
): Promise<void> {
  await exceedFallbackTime(service, message);
  const claim = await claimFallback(service.ctx.db, message, {
    ...next,
    attempt: message.attempt,
    leaseSeconds: 20,
    now: new Date(),
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
