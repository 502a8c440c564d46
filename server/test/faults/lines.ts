/** A provider on trial: its simulator, and what is peculiar to it. */
import assert from 'node:assert/strict';
import type { Channel } from '@zhiber/contract/api/channel.ts';
import { DEFAULT_PRICES } from '@zhiber/contract/api/prices.ts';
import type { Simulators } from '../../../simulators/all.ts';
import type { Simulator } from '../../../simulators/frame/http-simulator.ts';
import type { TakenMessage } from '../../../simulators/frame/journal.ts';
import type { Plan } from '../../../simulators/frame/plan.ts';
import type { ProviderName } from '../../src/config/provider-settings.ts';
import { newPhone } from '../outages/load.ts';
import { codeIn, type FaultService, type Sent, until } from './fault-service.ts';

type Traits = {
  channel: Channel;
  simulator: Exclude<keyof Simulators, 'settings' | 'close'>;
  /** As its journal and its plans spell a phone. */
  spell(digits: string): string;
  /** The most that it ever reports of a message; nothing when it sends no receipts. */
  best: 'read' | 'delivered' | undefined;
  /** Its ids count within a chat, so that two messages may have the same. */
  numbersPerChat?: true;
  /** It speaks over HTTP, or in frames over a link of its own. */
  isFramed?: true;
  /** Its protocol tells errors with 200, so that such an answer is a clear no. */
  errorsWith200?: true;
  /** The callback for a message that nobody knows is turned away, to be repeated. */
  insistsOnUnknown?: true;
};

const digits = (phone: string) => phone;
const withPlus = (phone: string) => `+${phone}`;
/** One adapter for all channels. */
const HTTP = { simulator: 'http', spell: withPlus, best: 'read', errorsWith200: true } as const;

export const TRAITS = {
  'whatsapp-cloud': { channel: 'whatsapp', simulator: 'cloud', spell: digits, best: 'read' },
  'green-api': {
    channel: 'whatsapp',
    simulator: 'green',
    spell: (phone) => `${phone}@c.us`,
    best: 'read',
  },
  'http-whatsapp': { channel: 'whatsapp', ...HTTP },
  'telegram-gateway': {
    channel: 'telegram',
    simulator: 'gateway',
    spell: withPlus,
    best: 'read',
    errorsWith200: true,
  },
  // Whoever shares a contact in these tests has a chat of the same number.
  'telegram-bot': {
    channel: 'telegram',
    simulator: 'bot',
    spell: digits,
    best: undefined,
    numbersPerChat: true,
  },
  'http-telegram': { channel: 'telegram', ...HTTP },
  smpp: {
    channel: 'sms',
    simulator: 'smpp',
    spell: digits,
    best: 'delivered',
    isFramed: true,
  },
  smsc: { channel: 'sms', simulator: 'smsc', spell: digits, best: 'read', errorsWith200: true },
  mobizon: {
    channel: 'sms',
    simulator: 'mobizon',
    spell: digits,
    best: 'delivered',
    errorsWith200: true,
    insistsOnUnknown: true,
  },
  'http-sms': { channel: 'sms', ...HTTP },
} as const satisfies Record<ProviderName, Traits>;

export type Line = Traits & {
  name: ProviderName;
  service: FaultService;
  price: number;
  provider: Simulator;
  /** A phone that nobody has used, and that this provider can write to. */
  phone(): Promise<string>;
  /** What it took for a phone, written as our API writes it. */
  taken(phone: string): TakenMessage[];
  send(plan?: Plan): Promise<Sent>;
  /** A send that has to succeed, and its receipts with it in the end. */
  sendWell(): Promise<Sent>;
  /** By message: the receipt that it has to end with. */
  awaited: Map<string, string>;
  /** Waits for the receipts of the last good send. */
  untilConfirmed(): Promise<void>;
};

export function lineOf(service: FaultService, name: ProviderName): Line {
  const traits: Traits = TRAITS[name];
  const { channel, spell } = traits;
  const { bot, smpp, [traits.simulator]: provider } = service.simulators;
  const price = DEFAULT_PRICES[channel];
  const awaited: Line['awaited'] = new Map();
  let lastWell: string | undefined;

  const phone = async () => {
    const fresh = newPhone();
    if (name === 'telegram-bot') {
      const person = { userId: Number(fresh), phone: fresh, name: 'Айгүл' };
      await bot.start(person);
      assert.equal(await bot.shareContact(person), 200, 'the contact was taken');
    }
    return fresh;
  };
  const taken = (to: string) =>
    provider.journal
      .taken()
      .filter((message) => message.to === spell(to.slice(1)) && codeIn(message.text) !== undefined);
  const isLinked = () => (name === 'smpp' ? smpp.enquire() : Promise.resolve(0));
  const send = async (plan?: Plan) => {
    const to = await phone();
    if (plan !== undefined) provider.plans.add({ ...plan, to: spell(to.slice(1)) });
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
    awaited,
    async sendWell() {
      await until(isLinked, (status) => status === 0);
      const sent = await send();
      assert.equal(sent.status, 200, `a good send got ${JSON.stringify(sent.body)}`);
      await assertTrue(service, sent, { price, taken: taken(sent.phone).length });
      if (traits.best !== undefined) awaited.set(sent.id, traits.best);
      lastWell = sent.id;
      return sent;
    },
    async untilConfirmed() {
      if (lastWell === undefined || traits.best === undefined) return;
      await service.untilRow(lastWell, ({ receipt }) => receipt === traits.best);
    },
  };
}

const STATES: Record<number, string> = { 200: 'sent', 502: 'failed', 504: 'unknown' };
const CODES: Record<number, string> = { 502: 'delivery_failed', 504: 'delivery_unconfirmed' };

/**
 * The answer, the database and the money tell the same; what was answered with success went out
 * once, and what failed for sure did not go out at all.
 */
export async function assertTrue(
  service: FaultService,
  { status, body, id }: Sent,
  facts: { price: number; taken: number },
): Promise<void> {
  assert.equal(body.error_code, CODES[status], JSON.stringify(body));
  const { state, charged, hold } = await service.row(id);
  const price = status === 200 ? facts.price : 0;
  assert.deepEqual({ state, charged, hold }, { state: STATES[status], charged: price, hold: 0 });
  assert.equal(body.cost ?? 0, price);
  if (status === 200) assert.equal(facts.taken, 1, 'success without a message');
  if (status === 502) assert.equal(facts.taken, 0, 'a message in spite of a failure');
  assert.ok(facts.taken <= 1, 'more than one message');
}
