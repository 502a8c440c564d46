import type { AttemptRow, MessageRow, StoredRows } from './stored-rows.ts';
import type { World } from './world.ts';

type Rule = [isKept: boolean, problem: string];

const RANKS = [null, 'unconfirmed', 'failed', 'delivered', 'read'];
const rankOf = (receipt: MessageRow['receipt']) => RANKS.indexOf(receipt);
const DELIVERED = rankOf('delivered');

/** What holds at every moment. */
export function always(world: World, prices: Readonly<Record<string, number>>): string[] {
  const { rows } = world.stored;
  const message = rows.message[0];
  return broken([
    ...askedRules(world),
    ...moneyRules(rows),
    ...(message === undefined ? [] : messageRules(world, message, prices)),
  ]);
}

function askedRules({ asked }: World): Rule[] {
  const channels = asked.map((one) => one.channel);
  return [
    [new Set(channels).size === channels.length, 'a provider was asked twice for one message'],
  ];
}

function moneyRules({ account, message, entry }: StoredRows): Rule[] {
  const charges = entry.filter((one) => one.kind === 'charge');
  const spent = -sumOf(entry.map((one) => one.amount));
  return [
    [account.balance === account.entered, 'the balance is not the sum of the entries'],
    [account.held === sumOf(message.map((row) => row.hold)), 'what is held is not the open holds'],
    [account.held >= 0 && account.balance >= account.held, 'the account is overdrawn'],
    [charges.length <= 1, 'a message was charged twice'],
    [spent === sumOf(message.map((row) => row.charged)), 'the entries are not what was charged'],
  ];
}

function messageRules(
  { stored: { rows }, asked, told, refused }: World,
  message: MessageRow,
  prices: Readonly<Record<string, number>>,
): Rule[] {
  const { state, charged, channel } = message;
  const open = rows.attempt.filter((attempt) => attempt.state === 'sending');
  const carrier = asked.find((one) => one.channel === channel);
  const tried = rows.attempt.map((attempt) => attempt.channel);
  const wasAccepted = asked.some((one) => one.isAccepted);
  const hasMinute = rows.gate.some((gate) => gate.recent.length > 0);
  return [
    [charged === 0 || carrier?.isAccepted === true, 'charged, but the provider did not accept'],
    [charged === 0 || charged === prices[channel ?? ''], 'charged at the price of another channel'],
    [charged > 0 === (state === 'sent'), 'only what was sent is charged, and all of it'],
    [state !== 'failed' || !wasAccepted, 'failed, but a provider has accepted'],
    [hasMinute === (state !== 'failed'), 'only a failed send gives the minute back'],
    [
      rows.code.every((code) => (code.mac !== null) === (state !== 'failed')),
      'only a failed send leaves no code',
    ],
    [
      rows.code.every((code) => code.verified_at === null || code.sealed === null),
      'a used code keeps a copy',
    ],
    [told !== 'success' || state === 'sent', 'told of a success that was not charged'],
    [
      ['success', 'nothing'].includes(told) || charged === 0 || refused !== null,
      'told of a failure that was charged',
    ],
    [open.length <= 1, 'two attempts are under way'],
    [open.every((attempt) => attempt.number === message.attempt), 'an old attempt is under way'],
    [new Set(tried).size === tried.length, 'a channel has two attempts'],
    [message.hold === 0 || state === 'sending' || open.length === 1, 'held for nothing'],
  ];
}

/** What no step may do. */
export function afterStep(before: World, after: World): string[] {
  const was = before.stored.rows;
  const is = after.stored.rows;
  const isAsking = after.asked.length > before.asked.length;
  const rules: Rule[] = [
    [!isAsking || isCommitted(before, after), 'asked before it was committed'],
  ];
  if (was !== is) {
    rules.push([was.message.length <= is.message.length, 'a message is gone']);
    if (was.message[0] && is.message[0])
      rules.push(...messageStepRules(was.message[0], is.message[0], after.told));
    for (const attempt of was.attempt) {
      const next = is.attempt.find((one) => one.number === attempt.number);
      rules.push(...attemptStepRules(attempt, next));
    }
    const wasVerified = was.code.some((code) => code.verified_at !== null);
    const isVerified = is.code.some((code) => code.verified_at !== null);
    rules.push([!wasVerified || isVerified, 'a used code can be used again']);
  }
  rules.push([
    before.told === 'nothing' || before.told === after.told,
    'the client was told twice',
  ]);
  return broken(rules);
}

/** The intent is in the database first: the message while it is sent, a claim for a later attempt. */
function isCommitted(before: World, after: World): boolean {
  const { message, attempt } = before.stored.rows;
  const asked = after.asked.at(-1);
  const state = message[0]?.state;
  if (state === undefined) return false;
  if (state !== 'sent') return true;
  return attempt.some((one) => one.number === asked?.attempt && one.channel === asked.channel);
}

function messageStepRules(was: MessageRow, is: MessageRow, told: World['told']): Rule[] {
  // Its caller heard of a failure, so what had been charged all the same was given back.
  const isRefused =
    told !== 'success' && was.state === 'sent' && is.state === 'unknown' && is.charged === 0;
  const isMoved = was.channel !== is.channel;
  const isBack = rankOf(is.receipt) < rankOf(was.receipt);
  return [
    [
      was.state === 'sending' || was.state === is.state || isRefused,
      'a settled message was settled again',
    ],
    [!isBack || (isMoved && rankOf(was.receipt) < DELIVERED), 'a receipt moved a message back'],
    [was.delivered_at === null || is.delivered_at !== null, 'a delivery was forgotten'],
    [was.attempt <= is.attempt, 'the number of the attempt went back'],
    [was.state === 'sending' || is.route === '' || was.route.endsWith(is.route), 'a route grew'],
    [
      was.state === 'sending' || isMoved || isRefused || was.charged === is.charged,
      'a charge changed by itself',
    ],
  ];
}

function attemptStepRules(was: AttemptRow, is: AttemptRow | undefined): Rule[] {
  if (is === undefined) return [[false, 'an attempt is gone']];
  return [
    [was.state === 'sending' || was.state === is.state, 'a settled attempt was settled again'],
    [rankOf(is.receipt) >= rankOf(was.receipt), 'a receipt moved an attempt back'],
    [was.channel === is.channel, 'an attempt changed its channel'],
  ];
}

/** What holds when the service has nothing left to do. */
export function atRest({ stored: { rows }, workers, refused }: World): string[] {
  const message = rows.message[0];
  if (message === undefined) return broken([[rows.account.held === 0, 'held without a message']]);
  const isOpen = rows.attempt.some((attempt) => attempt.state === 'sending');
  const isConfirmed = rankOf(message.receipt) >= DELIVERED;
  return broken([
    [workers.length === 0, 'a worker is stuck'],
    [refused === null, 'a refusal is never carried out'],
    [message.state !== 'sending', 'a message stays under way'],
    [!isOpen, 'an attempt stays under way'],
    [rows.account.held === 0, 'something stays held'],
    [rows.early_receipt.length === 0, 'a parked receipt stays parked'],
    [rows.code.every((code) => code.sealed === null), 'a copy of the code stays'],
    [message.state !== 'sent' || message.receipt !== null, 'a sent message stays in doubt'],
    [message.state !== 'sent' || message.route === '' || isConfirmed, 'a channel stays untried'],
  ]);
}

function broken(rules: Rule[]): string[] {
  return rules.flatMap(([isKept, problem]) => (isKept ? [] : [problem]));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
