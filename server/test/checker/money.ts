/** The invariants of money, recomputed from single rows and compared with the other logs. */
import type { AccountRow, MessageRow } from './database-rows.ts';
import { callsIn, isAccepted, type Logs } from './logs.ts';

type Find = (logs: Logs) => string[];

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

function perAccount(find: (logs: Logs, account: AccountRow) => string[]): Find {
  return (logs) => logs.database.accounts.flatMap((account) => find(logs, account));
}

const entriesOf = (logs: Logs, { company_id }: AccountRow) =>
  logs.database.entries.filter((entry) => entry.company_id === company_id);
const messagesOf = (logs: Logs, { company_id }: AccountRow) =>
  logs.database.messages.filter((message) => message.company_id === company_id);

export const findWrongBalances = perAccount((logs, account) => {
  const total = sum(entriesOf(logs, account).map((entry) => entry.amount));
  return total === account.balance
    ? []
    : [`company ${account.company_id}: balance ${account.balance}, entries ${total}`];
});

/** Also for every moment in the past: entries are added up in the order they were posted. */
export const findNegativeBalances = perAccount((logs, account) => {
  const found: string[] = [];
  if (account.balance < 0 || account.held < 0 || account.held > account.balance) {
    found.push(`company ${account.company_id}: balance ${account.balance}, held ${account.held}`);
  }
  let balance = 0;
  for (const entry of entriesOf(logs, account)) {
    balance += entry.amount;
    if (balance < 0 || balance !== entry.balance_after) {
      found.push(`company ${account.company_id}: ${balance} after an entry, not its balance_after`);
    }
    balance = entry.balance_after;
  }
  return found;
});

/** Entries and messages must agree on the number and the sum of charges. */
export const findChargeMismatches = perAccount((logs, account) => {
  const charges = entriesOf(logs, account).filter(({ kind }) => /^charge/.test(kind));
  const charged = messagesOf(logs, account).filter((message) => message.charged > 0);
  const inEntries = -sum(charges.map((entry) => entry.amount));
  const inMessages = sum(charged.map((message) => message.charged));
  const countInEntries = sum(charges.map((entry) => entry.messages));
  return inEntries === inMessages && countInEntries === charged.length
    ? []
    : [
        `company ${account.company_id}: ${countInEntries} charges of ${inEntries} posted, ` +
          `${charged.length} messages charged ${inMessages}`,
      ];
});

export const findChargesWithoutAcceptance: Find = (logs) => {
  const accepted = new Set(
    callsIn(logs)
      .filter(isAccepted)
      .map((call) => `${call.ref.messageId} ${call.channel} ${call.providerId}`),
  );
  return logs.database.messages
    .filter(({ charged }) => charged > 0)
    .filter(({ id, channel, provider_id }) => !accepted.has(`${id} ${channel} ${provider_id}`))
    .map(({ id, channel }) => `message ${id} is charged, but ${channel} never accepted it`);
};

/** While idle nothing may be held, neither on an account nor by a message. */
export const findOpenHolds: Find = (logs) => [
  ...logs.database.accounts
    .filter(({ held }) => held !== 0)
    .map(({ company_id, held }) => `company ${company_id}: ${held} held while idle`),
  ...logs.database.messages
    .filter(({ hold }) => hold !== 0)
    .map(({ id, hold }) => `message ${id}: ${hold} held while idle`),
];

export function isSend({ action }: Logs['clients'][number]): boolean {
  return action === 'send_code' || action === 'send_link';
}

/**
 * A success that a client got is charged once. It costs what the channel in the answer costs; or,
 * when a repeated request was answered after a fallback, what the first channel did: a dearer one
 * has to confirm the delivery before it costs more.
 */
export const findWronglyChargedSuccesses: Find = (logs) => {
  const messages = messagesById(logs);
  const attempts = attemptsById(logs);
  return logs.clients
    .filter((ack) => isSend(ack) && ack.outcome === 'ok')
    .flatMap((ack) => {
      const message = messages.get(ack.messageId ?? '');
      if (message === undefined || message.charged === 0)
        return [`${ack.messageId} is not charged`];
      const first = attempts.get(message.id)?.find(({ state }) => state === 'accepted')?.channel;
      const channels = [ack.channel as keyof typeof logs.setup.prices, first];
      return channels.some((channel) => channel && logs.setup.prices[channel] === ack.cost)
        ? []
        : [`${ack.messageId} by ${ack.channel} was answered with the cost ${ack.cost}`];
    });
};

export const findChargedRefusals: Find = (logs) => {
  const messages = messagesById(logs);
  const byRequest = new Map(logs.database.messages.map((row) => [row.request_id, row]));
  return logs.clients
    .filter((ack) => isSend(ack) && ack.outcome === 'refused')
    .map((ack) => ({
      ack,
      message: messages.get(ack.messageId ?? '') ?? byRequest.get(ack.requestId),
    }))
    .filter(({ message }) => (message?.charged ?? 0) > 0)
    .map(({ ack, message }) => `${message?.id} was refused with ${ack.errorCode}, but is charged`);
};

/** A send that was not settled within its lease was never acknowledged. */
const LEASE_SECONDS = 20;

/**
 * A request that was cut off and has no Idempotency-Key may be charged only by the process that
 * handled it, within its lease.
 */
export const findChargesByRecovery: Find = (logs) => {
  const byRequest = new Map(logs.database.messages.map((row) => [row.request_id, row]));
  return logs.clients
    .filter((ack) => isSend(ack) && ack.outcome === 'unknown' && ack.idempotencyKey === null)
    .flatMap((ack) => byRequest.get(ack.requestId) ?? [])
    .filter(({ charged, settle_seconds }) => charged > 0 && (settle_seconds ?? 0) >= LEASE_SECONDS)
    .map(({ id, settle_seconds }) => `${id} was charged ${settle_seconds} s after its reservation`);
};

/**
 * A message that a channel accepted is charged, or unknown and free, which is counted separately.
 * It must be in the database and must not be failed.
 */
export const findUnaccountedAcceptances: Find = (logs) => {
  const messages = messagesById(logs);
  return acceptedMessages(logs).flatMap((id) => {
    const message = messages.get(id);
    if (message === undefined) return [`${id} was sent, but is not in the database`];
    const isAccounted = message.charged > 0 || ['unknown', 'sending'].includes(message.state);
    return isAccounted ? [] : [`${id} was accepted, but is ${message.state} and not charged`];
  });
};

export function countFreeMessages(logs: Logs): number {
  const messages = messagesById(logs);
  return acceptedMessages(logs).filter((id) => messages.get(id)?.charged === 0).length;
}

/** The charge is the price of the first channel that accepted, or of one that has delivered. */
export const findWrongPrices: Find = (logs) => {
  const attempts = attemptsById(logs);
  return logs.database.messages
    .filter(({ charged }) => charged > 0)
    .filter(({ id, channel, charged }) => {
      const accepted = attempts.get(id)?.filter(({ state }) => state === 'accepted') ?? [];
      const delivered = accepted.filter(({ receipt }) =>
        /^(?:delivered|read)$/.test(receipt ?? ''),
      );
      const first = accepted[0]?.channel ?? channel;
      return ![first, ...delivered.map((attempt) => attempt.channel)].some(
        (paid) => paid && logs.setup.prices[paid] === charged,
      );
    })
    .map(({ id, channel, charged }) => `${id} by ${channel} is charged ${charged}`);
};

/** The invariants of `zhiber audit`, which sees only the database. */
export const findAuditViolations: Find = (logs) =>
  Object.entries(logs.database.audit.violations)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name}: ${count}`);

export function messagesById(logs: Logs): Map<string, MessageRow> {
  return new Map(logs.database.messages.map((message) => [message.id, message]));
}

function attemptsById(logs: Logs): Map<string, Logs['database']['attempts']> {
  return Map.groupBy(logs.database.attempts, (attempt) => attempt.message_id);
}

function acceptedMessages(logs: Logs): string[] {
  const ids = callsIn(logs)
    .filter(isAccepted)
    .map((call) => call.ref.messageId as string);
  return [...new Set(ids)];
}
