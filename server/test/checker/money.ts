/** What must be true of money, recomputed from single rows and held against the other logs. */
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

export const balanceIsSumOfEntries = perAccount((logs, account) => {
  const total = sum(entriesOf(logs, account).map((entry) => entry.amount));
  return total === account.balance
    ? []
    : [`company ${account.company_id}: balance ${account.balance}, entries ${total}`];
});

/** Also at every moment of the past: the entries are walked in the order they were posted. */
export const nothingIsNegative = perAccount((logs, account) => {
  const wrong: string[] = [];
  if (account.balance < 0 || account.held < 0 || account.held > account.balance) {
    wrong.push(`company ${account.company_id}: balance ${account.balance}, held ${account.held}`);
  }
  let balance = 0;
  for (const entry of entriesOf(logs, account)) {
    balance += entry.amount;
    if (balance < 0 || balance !== entry.balance_after) {
      wrong.push(`company ${account.company_id}: ${balance} after an entry, not its own figure`);
    }
    balance = entry.balance_after;
  }
  return wrong;
});

/** The entries charge for as many messages, and as much, as the messages say. */
export const chargesMatchMessages = perAccount((logs, account) => {
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

export const chargesHaveAnAcceptance: Find = (logs) => {
  const accepted = new Set(
    callsIn(logs)
      .filter(isAccepted)
      .map((call) => `${call.ref.messageId} ${call.channel} ${call.providerId}`),
  );
  return logs.database.messages
    .filter(({ charged }) => charged > 0)
    .filter(({ id, channel, provider_id }) => !accepted.has(`${id} ${channel} ${provider_id}`))
    .map(({ id, channel }) => `message ${id} is charged, and ${channel} never accepted it`);
};

/** At rest nothing may be held, neither on an account nor by a message. */
export const nothingIsHeld: Find = (logs) => [
  ...logs.database.accounts
    .filter(({ held }) => held !== 0)
    .map(({ company_id, held }) => `company ${company_id}: ${held} held at rest`),
  ...logs.database.messages
    .filter(({ hold }) => hold !== 0)
    .map(({ id, hold }) => `message ${id}: ${hold} held at rest`),
];

export function isSend({ action }: Logs['clients'][number]): boolean {
  return action === 'send_code' || action === 'send_link';
}

/** Everybody who was told of a success, and what it cost, is charged that, once. */
export const successIsChargedOnce: Find = (logs) => {
  const messages = messagesById(logs);
  return logs.clients
    .filter((ack) => isSend(ack) && ack.outcome === 'ok')
    .flatMap((ack) => {
      const message = messages.get(ack.messageId ?? '');
      if (message === undefined || message.charged === 0)
        return [`${ack.messageId} is not charged`];
      const told = logs.arrangement.prices[ack.channel as keyof typeof logs.arrangement.prices];
      return ack.cost === told ? [] : [`${ack.messageId} by ${ack.channel} was told ${ack.cost}`];
    });
};

export const refusalIsFree: Find = (logs) => {
  const messages = messagesById(logs);
  const byRequest = new Map(logs.database.messages.map((row) => [row.request_id, row]));
  return logs.clients
    .filter((ack) => isSend(ack) && ack.outcome === 'refused')
    .map((ack) => ({
      ack,
      message: messages.get(ack.messageId ?? '') ?? byRequest.get(ack.requestId),
    }))
    .filter(({ message }) => (message?.charged ?? 0) > 0)
    .map(({ ack, message }) => `${message?.id} was refused with ${ack.errorCode}, and is charged`);
};

/** Whatever was not settled when its lease ended was never acknowledged. */
const LEASE_SECONDS = 20;

/**
 * A request that was cut off, and cannot be repeated for an answer, costs nothing unless it was
 * settled by the process that had it.
 */
export const recoveryIsFree: Find = (logs) => {
  const byRequest = new Map(logs.database.messages.map((row) => [row.request_id, row]));
  return logs.clients
    .filter((ack) => isSend(ack) && ack.outcome === 'unknown' && ack.idempotencyKey === null)
    .flatMap((ack) => byRequest.get(ack.requestId) ?? [])
    .filter(({ charged, settle_seconds }) => charged > 0 && (settle_seconds ?? 0) >= LEASE_SECONDS)
    .map(({ id, settle_seconds }) => `${id} was charged ${settle_seconds} s after it was made`);
};

/**
 * A message that a channel accepted is either charged or known to be free: settled as unknown,
 * which is counted apart. It is never one the database has not heard of, or calls refused.
 */
export const acceptedIsChargedOrFree: Find = (logs) => {
  const messages = messagesById(logs);
  return acceptedMessages(logs).flatMap((id) => {
    const message = messages.get(id);
    if (message === undefined) return [`${id} was sent, and the database does not know it`];
    const isFine = message.charged > 0 || ['unknown', 'sending'].includes(message.state);
    return isFine ? [] : [`${id} was accepted, and is ${message.state} for nothing`];
  });
};

export function countFreeMessages(logs: Logs): number {
  const messages = messagesById(logs);
  return acceptedMessages(logs).filter((id) => messages.get(id)?.charged === 0).length;
}

export const chargeIsThePrice: Find = (logs) =>
  logs.database.messages
    .filter(({ charged }) => charged > 0)
    .filter(({ channel, charged }) => channel && charged !== logs.arrangement.prices[channel])
    .map(({ id, channel, charged }) => `${id} by ${channel} is charged ${charged}`);

/** The questions of `zhiber audit`, which only sees the database. */
export const auditIsClean: Find = (logs) =>
  Object.entries(logs.database.audit.violations)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name}: ${count}`);

export function messagesById(logs: Logs): Map<string, MessageRow> {
  return new Map(logs.database.messages.map((message) => [message.id, message]));
}

function acceptedMessages(logs: Logs): string[] {
  const ids = callsIn(logs)
    .filter(isAccepted)
    .map((call) => call.ref.messageId as string);
  return [...new Set(ids)];
}
