import type { AttemptRow, MessageRow, StoredRows } from './stored-rows.ts';
import type { World } from './world.ts';

type Rule = [isKept: boolean, problem: string];

const RANKS = [null, 'unconfirmed', 'failed', 'delivered', 'read'];
const rankOf = (receipt: MessageRow['receipt']) => RANKS.indexOf(receipt);
const DELIVERED = rankOf('delivered');

/** The invariants of every world. */
export function checkWorld(world: World, prices: Readonly<Record<string, number>>): string[] {
  const { rows } = world.stored;
  const message = rows.message[0];
  return broken([
    ...callRules(world),
    ...moneyRules(rows),
    ...(message === undefined ? [] : messageRules(world, message, prices)),
  ]);
}

function callRules({ calls }: World): Rule[] {
  const channels = calls.map((call) => call.channel);
  return [
    [new Set(channels).size === channels.length, 'a provider was asked twice for one message'],
  ];
}

function moneyRules({ account, message, entry }: StoredRows): Rule[] {
  const charges = entry.filter(({ kind }) => kind === 'charge');
  const spent = -sum(entry.map(({ amount }) => amount));
  return [
    [account.balance === account.entered, 'the balance is not the sum of the entries'],
    [account.held === sum(message.map((row) => row.hold)), 'what is held is not the open holds'],
    [account.held >= 0 && account.balance >= account.held, 'the account is overdrawn'],
    [charges.length <= 1, 'a message was charged twice'],
    [spent === sum(message.map((row) => row.charged)), 'the entries are not what was charged'],
  ];
}

function messageRules(
  { stored: { rows }, calls, clientAnswer, refused }: World,
  message: MessageRow,
  prices: Readonly<Record<string, number>>,
): Rule[] {
  const { state, charged, channel } = message;
  const open = rows.attempt.filter((attempt) => attempt.state === 'sending');
  const accepted = rows.attempt
    .filter((attempt) => attempt.state === 'accepted')
    .toSorted((a, b) => a.number - b.number);
  const first = accepted[0]?.channel ?? channel ?? '';
  const carriers = calls.filter((call) => call.isAccepted && prices[call.channel] === charged);
  const hasDelivered = accepted.some(
    (attempt) => prices[attempt.channel] === charged && rankOf(attempt.receipt) >= DELIVERED,
  );
  const tried = rows.attempt.map((attempt) => attempt.channel);
  const wasAccepted = calls.some((call) => call.isAccepted);
  const countsAgainstLimit = rows.recent_sends.some((row) => row.recent.length > 0);
  return [
    [charged === 0 || carriers.length > 0, 'charged, but the provider did not accept'],
    [
      charged === 0 || charged === prices[first] || hasDelivered,
      'charged for a later channel that has not delivered',
    ],
    [charged > 0 === (state === 'sent'), 'a message is charged exactly when it is sent'],
    [state !== 'failed' || !wasAccepted, 'failed, but a provider has accepted'],
    [
      countsAgainstLimit === (state !== 'failed'),
      'every send counts against the limits unless it failed',
    ],
    [
      rows.code.every((code) => (code.mac !== null) === (state !== 'failed')),
      'every send has a valid code unless it failed',
    ],
    [
      rows.code.every((code) => code.verified_at === null || code.sealed === null),
      'a used code keeps a copy',
    ],
    [
      clientAnswer !== 'success' || state === 'sent',
      'the client got a success that was not charged',
    ],
    [
      ['success', 'nothing'].includes(clientAnswer) || charged === 0 || refused !== null,
      'the client got a failure that was charged',
    ],
    [open.length <= 1, 'two attempts are open'],
    [open.every((attempt) => attempt.number === message.attempt), 'an older attempt is open'],
    [new Set(tried).size === tried.length, 'a channel has two attempts'],
    [
      message.hold === 0 || state === 'sending' || open.length === 1 || isPending(message),
      'tokens are held without an open attempt or a pending price',
    ],
  ];
}

/** The difference to a more expensive channel is held until its delivery is known. */
function isPending({ hold, pending_price, charged }: MessageRow): boolean {
  return pending_price !== null && hold === pending_price - charged;
}

/** The invariants of every step. */
export function checkStep(before: World, after: World): string[] {
  const was = before.stored.rows;
  const is = after.stored.rows;
  const isCalling = after.calls.length > before.calls.length;
  const rules: Rule[] = [
    [!isCalling || isCommitted(before, after), 'asked before it was committed'],
  ];
  if (was !== is) {
    rules.push([was.message.length <= is.message.length, 'a message was deleted']);
    if (was.message[0] && is.message[0])
      rules.push(...messageStepRules(was.message[0], is.message[0], after.clientAnswer));
    for (const attempt of was.attempt) {
      const next = is.attempt.find(({ number }) => number === attempt.number);
      rules.push(...attemptStepRules(attempt, next));
    }
    const wasVerified = was.code.some((code) => code.verified_at !== null);
    const isVerified = is.code.some((code) => code.verified_at !== null);
    rules.push([!wasVerified || isVerified, 'a used code can be used again']);
  }
  rules.push([
    before.clientAnswer === 'nothing' || before.clientAnswer === after.clientAnswer,
    'the client was answered twice',
  ]);
  return broken(rules);
}

/** A call needs a committed intent: the message for its first send, a claim for a later attempt. */
function isCommitted(before: World, after: World): boolean {
  const { message, attempt } = before.stored.rows;
  const call = after.calls.at(-1);
  const state = message[0]?.state;
  if (state === undefined) return false;
  if (state !== 'sent') return true;
  return attempt.some((row) => row.number === call?.attempt && row.channel === call.channel);
}

function messageStepRules(
  was: MessageRow,
  is: MessageRow,
  clientAnswer: World['clientAnswer'],
): Rule[] {
  // The client was answered with a failure, so the charge was refunded.
  const isRefused =
    clientAnswer !== 'success' &&
    was.state === 'sent' &&
    is.state === 'unknown' &&
    is.charged === 0;
  const isMoved = was.channel !== is.channel;
  const isDelivered = rankOf(was.receipt) < DELIVERED && rankOf(is.receipt) >= DELIVERED;
  const isMovedByDelivery = isDelivered && is.charged === was.pending_price;
  const isBack = rankOf(is.receipt) < rankOf(was.receipt);
  return [
    [
      was.state === 'sending' || was.state === is.state || isRefused,
      'a settled message was settled again',
    ],
    [!isBack || (isMoved && rankOf(was.receipt) < DELIVERED), 'a receipt moved a message back'],
    [was.delivered_at === null || is.delivered_at !== null, 'a delivery time was removed'],
    [was.attempt <= is.attempt, 'the number of the attempt went back'],
    [
      was.state === 'sending' || is.route === '' || was.route.endsWith(is.route),
      'a route got longer',
    ],
    [
      was.state === 'sending' ||
        was.charged === is.charged ||
        isRefused ||
        isMoved ||
        isMovedByDelivery,
      'a charge changed without a fallback or its delivery',
    ],
  ];
}

function attemptStepRules(was: AttemptRow, is: AttemptRow | undefined): Rule[] {
  if (is === undefined) return [[false, 'an attempt was deleted']];
  return [
    [was.state === 'sending' || was.state === is.state, 'a settled attempt was settled again'],
    [rankOf(is.receipt) >= rankOf(was.receipt), 'a receipt moved an attempt back'],
    [was.channel === is.channel, 'an attempt changed its channel'],
  ];
}

/** The invariants of a world in which the service has nothing left to do. */
export function checkIdle({ stored: { rows }, workers, refused }: World): string[] {
  const message = rows.message[0];
  if (message === undefined)
    return broken([[rows.account.held === 0, 'tokens are held without a message']]);
  const isOpen = rows.attempt.some((attempt) => attempt.state === 'sending');
  const isConfirmed = rankOf(message.receipt) >= DELIVERED;
  return broken([
    [workers.length === 0, 'a worker never ends'],
    [refused === null, 'a refusal is never executed'],
    [message.state !== 'sending', 'a message stays under way'],
    [!isOpen, 'an attempt is never settled'],
    [rows.account.held === 0, 'tokens stay held'],
    [rows.early_receipt.length === 0, 'a parked receipt stays parked'],
    [rows.code.every((code) => code.sealed === null), 'a copy of the code stays'],
    [message.state !== 'sent' || message.receipt !== null, 'a sent message never gets a receipt'],
    [message.state !== 'sent' || message.route === '' || isConfirmed, 'a channel is never tried'],
  ]);
}

function broken(rules: Rule[]): string[] {
  return rules.flatMap(([isKept, problem]) => (isKept ? [] : [problem]));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
