/** A provider under test: its simulator, and how it differs from the other providers. */
import assert from 'node:assert/strict';
import type { Channel } from '@zhiber/contract/api/channel.ts';
import { DEFAULT_PRICES } from '@zhiber/contract/api/prices.ts';
import type { TakenMessage } from '../../../simulators/frame/journal.ts';
import type { Plan } from '../../../simulators/frame/plan.ts';
import type { Simulator } from '../../../simulators/frame/simulator.ts';
import type { ProviderKind } from '../../src/config/provider-settings.ts';
import { newPhone } from '../outages/load-client.ts';
import {
  type FaultService,
  type FaultSimulators,
  findCode,
  type Sent,
  waitFor,
} from './fault-service.ts';

export type TestedName = ProviderKind | 'smsc-by-file';

type Traits = {
  channel: Channel;
  simulator: Exclude<keyof FaultSimulators, 'settings' | 'close'>;
  /** Writes a phone as the simulator's journal and plans do. */
  formatPhone(digits: string): string;
  /**
   * The highest receipt that is recorded; undefined when the provider sends none. An SMS that is
   * reported as read is recorded as delivered.
   */
  highestReceipt: 'read' | 'delivered' | undefined;
  /** Message ids are unique only within a chat, so two messages may have the same id. */
  hasIdsPerChat?: true;
  /** SMPP keeps one binary connection; all other providers use HTTP. */
  isSmpp?: true;
  /** The protocol reports errors with HTTP 200, so an error body is a definite refusal. */
  hasErrorsWith200?: true;
};

const digits = (phone: string) => phone;
const withPlus = (phone: string) => `+${phone}`;
/** The same adapter serves all channels. */
const HTTP = {
  simulator: 'http',
  formatPhone: withPlus,
  highestReceipt: 'read',
  hasErrorsWith200: true,
} as const;

export const TRAITS = {
  'whatsapp-cloud': {
    channel: 'whatsapp',
    simulator: 'cloud',
    formatPhone: digits,
    highestReceipt: 'read',
  },
  'green-api': {
    channel: 'whatsapp',
    simulator: 'green',
    formatPhone: (phone) => `${phone}@c.us`,
    highestReceipt: 'read',
  },
  'http-whatsapp': { channel: 'whatsapp', ...HTTP },
  'telegram-gateway': {
    channel: 'telegram',
    simulator: 'gateway',
    formatPhone: withPlus,
    highestReceipt: 'read',
    hasErrorsWith200: true,
  },
  // In these tests the chat id of a person equals the phone.
  'telegram-bot': {
    channel: 'telegram',
    simulator: 'bot',
    formatPhone: digits,
    highestReceipt: undefined,
    hasIdsPerChat: true,
  },
  'http-telegram': { channel: 'telegram', ...HTTP },
  smpp: {
    channel: 'sms',
    simulator: 'smpp',
    formatPhone: digits,
    highestReceipt: 'delivered',
    isSmpp: true,
  },
  smsc: {
    channel: 'sms',
    simulator: 'smsc',
    formatPhone: digits,
    highestReceipt: 'delivered',
    hasErrorsWith200: true,
  },
  mobizon: {
    channel: 'sms',
    simulator: 'mobizon',
    formatPhone: digits,
    highestReceipt: 'delivered',
    hasErrorsWith200: true,
  },
  'http-sms': { channel: 'sms', ...HTTP, highestReceipt: 'delivered' },
  // The same gateway as `smsc`, by a file in place of its adapter.
  'smsc-by-file': {
    channel: 'sms',
    simulator: 'described',
    formatPhone: digits,
    highestReceipt: 'delivered',
    hasErrorsWith200: true,
  },
} as const satisfies Record<TestedName, Traits>;

export type TestedProvider = Traits & {
  name: TestedName;
  service: FaultService;
  price: number;
  provider: Simulator;
  /** A new phone that this provider can deliver to. */
  phone(): Promise<string>;
  /** The messages that the provider took for a phone in E.164 format. */
  taken(phone: string): TakenMessage[];
  send(plan?: Plan): Promise<Sent>;
  /** Sends a message that must succeed, and expects its highest receipt. */
  sendSuccessfully(): Promise<Sent>;
  /** The final receipt that each message must have, by message id. */
  expectedReceipts: Map<string, string>;
  /** Waits for the receipts of the last successful send. */
  waitForReceipts(): Promise<void>;
};

export function createTestedProvider(service: FaultService, name: TestedName): TestedProvider {
  const traits: Traits = TRAITS[name];
  const { channel, formatPhone } = traits;
  const { bot, smpp, [traits.simulator]: provider } = service.simulators;
  const price = DEFAULT_PRICES[channel];
  const expectedReceipts: TestedProvider['expectedReceipts'] = new Map();
  let lastSuccessful: string | undefined;

  const phone = async () => {
    const newNumber = newPhone();
    if (name === 'telegram-bot') {
      const person = { userId: Number(newNumber), phone: newNumber, name: 'Айгүл' };
      await bot.start(person);
      assert.equal(await bot.shareContact(person), 200, 'the service did not accept the contact');
    }
    return newNumber;
  };
  const taken = (to: string) =>
    provider.journal
      .taken()
      .filter(
        (message) =>
          message.to === formatPhone(to.slice(1)) && findCode(message.text) !== undefined,
      );
  const readLinkStatus = () => (name === 'smpp' ? smpp.enquire() : Promise.resolve(0));
  const send = async (plan?: Plan) => {
    const to = await phone();
    if (plan !== undefined) provider.plans.add({ ...plan, to: formatPhone(to.slice(1)) });
    return await service.send(channel, to);
  };

  return {
    ...traits,
    name,
    service,
    price,
    provider,
    phone,
    taken,
    send,
    expectedReceipts,
    async sendSuccessfully() {
      await waitFor(readLinkStatus, (status) => status === 0);
      const sent = await send();
      assert.equal(sent.status, 200, `a send without faults got ${JSON.stringify(sent.body)}`);
      await assertConsistent(service, sent, { price, taken: taken(sent.phone).length });
      if (traits.highestReceipt !== undefined) expectedReceipts.set(sent.id, traits.highestReceipt);
      lastSuccessful = sent.id;
      return sent;
    },
    async waitForReceipts() {
      if (lastSuccessful === undefined || traits.highestReceipt === undefined) return;
      await service.waitForRow(lastSuccessful, ({ receipt }) => receipt === traits.highestReceipt);
    },
  };
}

const STATES: Record<number, string> = { 200: 'sent', 502: 'failed', 504: 'unknown' };
const CODES: Record<number, string> = { 502: 'delivery_failed', 504: 'delivery_unconfirmed' };

/**
 * Asserts that the answer, the database and the charge agree. A message answered with success was
 * sent exactly once, and a failed one was not sent.
 */
export async function assertConsistent(
  service: FaultService,
  { status, body, id }: Sent,
  facts: { price: number; taken: number },
): Promise<void> {
  assert.equal(body.error_code, CODES[status], JSON.stringify(body));
  const { state, charged, hold } = await service.row(id);
  const price = status === 200 ? facts.price : 0;
  assert.deepEqual({ state, charged, hold }, { state: STATES[status], charged: price, hold: 0 });
  assert.equal(body.cost ?? 0, price);
  if (status === 200)
    assert.equal(facts.taken, 1, 'answered with success, but no message was sent');
  if (status === 502)
    assert.equal(facts.taken, 0, 'answered with a failure, but a message was sent');
  assert.ok(facts.taken <= 1, 'more than one message was sent');
}

/**
 * The classes of provider faults, which are the columns of the results table: P1 unreachable, P2 no
 * answer, P3 error statuses, P4 slow or oversized answers, P5 connection resets, P6 malformed
 * answers, P7 wrong receipts, P8 a slow provider that must not delay the others.
 */
export const FAULT_CLASSES = ['P1', 'P2', 'P3', 'P4', 'P5', 'P6', 'P7', 'P8'] as const;
export type FaultClass = (typeof FAULT_CLASSES)[number];

/** One fault of a provider that the service must withstand. */
export type FaultCase = {
  faultClass: FaultClass;
  name: string;
  /** Throws when the case fails. */
  run(tested: TestedProvider): Promise<void>;
};
