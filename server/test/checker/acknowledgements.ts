/** The invariants of acknowledgements: nothing acknowledged is lost, duplicated or mixed up. */
import type { Logs } from './logs.ts';
import { isSend, messagesById } from './money.ts';

/** Every acknowledged send is stored as sent, for the company that requested it. */
export function findLostSends(logs: Logs): string[] {
  const messages = messagesById(logs);
  return logs.clients
    .filter((ack) => isSend(ack) && ack.outcome === 'ok')
    .flatMap(({ messageId, companyId }) => {
      const message = messages.get(messageId ?? '');
      if (message === undefined) return [`${messageId} is missing`];
      if (message.state !== 'sent') return [`${messageId} is ${message.state}`];
      return message.company_id === companyId ? [] : [`${messageId} belongs to another company`];
    });
}

/** One Idempotency-Key makes at most one message. */
export function findDuplicatedMessages(logs: Logs): string[] {
  const sends = logs.clients.filter((ack) => isSend(ack) && ack.idempotencyKey !== null);
  // A send that was refused before any channel was called may be tried again.
  const refused = new Set(
    logs.database.messages
      .filter(({ state, channel }) => state === 'failed' && channel === null)
      .map(({ id }) => id),
  );
  const byRequest = new Map(logs.database.messages.map((row) => [row.request_id, row.id]));
  const byKey = Map.groupBy(
    sends,
    ({ keyId, action, idempotencyKey }) => `${keyId} ${action} ${idempotencyKey}`,
  );
  return [...byKey].flatMap(([name, acks]) => {
    const acknowledged = acks.flatMap(({ messageId }) => messageId ?? []);
    const stored = acks.flatMap(({ requestId }) => byRequest.get(requestId) ?? []);
    const ids = new Set([...acknowledged, ...stored].filter((id) => !refused.has(id)));
    return ids.size > 1 ? [`${name} made ${ids.size} messages`] : [];
  });
}

/** Every acknowledged short link belongs to its company and leads to its URL. */
export function findBrokenLinks(logs: Logs): string[] {
  const rows = new Map(logs.database.links.map((row) => [row.slug_key, row]));
  const acknowledged = logs.clients.filter(
    ({ shortUrl, outcome }) => shortUrl !== null && outcome === 'ok',
  );
  return [
    ...acknowledged.flatMap(({ shortUrl, given, companyId, action }) => {
      const slug = String(shortUrl?.split('/').at(-1));
      const row = rows.get(slug.toLowerCase());
      if (row === undefined) return [`${slug} is missing`];
      if (row.company_id !== companyId) return [`${slug} has another owner`];
      return action === 'send_code' || row.url === given ? [] : [`${slug} leads to ${row.url}`];
    }),
    ...logs.clients
      .filter(({ action, outcome }) => action === 'open' && outcome !== 'ok')
      .map(({ shortUrl, errorCode }) => `${shortUrl} does not open: ${errorCode}`),
  ];
}

export function findMixedCompanies(logs: Logs): string[] {
  const { messages, attempts, codes, links, entries, accounts } = logs.database;
  const companies = new Map(messages.map((row) => [row.id, row.company_id]));
  const owners = new Set(accounts.map((row) => row.company_id));
  const isForeign = (row: { company_id: number; message_id: string | null }) =>
    row.message_id !== null && companies.get(row.message_id) !== row.company_id;
  return [
    ...messages
      .filter((row) => row.key_company !== row.company_id)
      .map((row) => `message ${row.id} has a key of another company`),
    ...codes
      .filter((row) => row.key_company !== row.company_id)
      .map((row) => `the code of ${row.message_id} has a key of another company`),
    ...attempts
      .filter(isForeign)
      .map((row) => `an attempt of ${row.message_id}, which belongs to another company`),
    ...codes
      .filter(isForeign)
      .map((row) => `a code of ${row.message_id}, which belongs to another company`),
    ...links
      .filter(isForeign)
      .map((row) => `link ${row.slug} of ${row.message_id}, which belongs to another company`),
    ...entries
      .filter((row) => !owners.has(row.company_id))
      .map((row) => `an entry of the unknown company ${row.company_id}`),
  ];
}
