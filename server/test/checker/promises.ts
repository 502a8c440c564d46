/** What was promised to the clients is kept: nothing acknowledged is lost, doubled or mixed up. */
import type { Logs } from './logs.ts';
import { isSend, messagesById } from './money.ts';

/** Every acknowledged send is there, as sent, in the company that asked for it. */
export function acknowledgedIsLost(logs: Logs): string[] {
  const messages = messagesById(logs);
  return logs.clients
    .filter((ack) => isSend(ack) && ack.outcome === 'ok')
    .flatMap(({ messageId, companyId }) => {
      const message = messages.get(messageId ?? '');
      if (message === undefined) return [`${messageId} is gone`];
      if (message.state !== 'sent') return [`${messageId} is ${message.state}`];
      return message.company_id === companyId ? [] : [`${messageId} has changed hands`];
    });
}

/** One Idempotency-Key makes at most one message, whatever the client was told meanwhile. */
export function repeatsAreDoubled(logs: Logs): string[] {
  const sends = logs.clients.filter((ack) => isSend(ack) && ack.idempotencyKey !== null);
  // What was refused before any channel was asked is no message, and may be tried again.
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
    const told = acks.flatMap(({ messageId }) => messageId ?? []);
    const made = acks.flatMap(({ requestId }) => byRequest.get(requestId) ?? []);
    const ids = new Set([...told, ...made].filter((id) => !refused.has(id)));
    return ids.size > 1 ? [`${name} made ${ids.size} messages`] : [];
  });
}

/** Every short link leads where its client was told, and no name has two owners. */
export function linksAreLost(logs: Logs): string[] {
  const rows = new Map(logs.database.links.map((row) => [row.folded, row]));
  const told = logs.clients.filter(
    ({ shortUrl, outcome }) => shortUrl !== null && outcome === 'ok',
  );
  return [
    ...told.flatMap(({ shortUrl, given, companyId, action }) => {
      const slug = String(shortUrl?.split('/').at(-1));
      const row = rows.get(slug.toLowerCase());
      if (row === undefined) return [`${slug} is gone`];
      if (row.company_id !== companyId) return [`${slug} has another owner`];
      return action === 'send_code' || row.url === given ? [] : [`${slug} leads to ${row.url}`];
    }),
    ...logs.clients
      .filter(({ action, outcome }) => action === 'open' && outcome !== 'ok')
      .map(({ shortUrl, errorCode }) => `${shortUrl} does not open: ${errorCode}`),
  ];
}

export function companiesAreMixed(logs: Logs): string[] {
  const { messages, attempts, codes, links, entries, accounts } = logs.database;
  const known = new Map(messages.map((row) => [row.id, row.company_id]));
  const owners = new Set(accounts.map((row) => row.company_id));
  const isForeign = (row: { company_id: number; message_id: string | null }) =>
    row.message_id !== null && known.get(row.message_id) !== row.company_id;
  return [
    ...messages
      .filter((row) => row.key_company !== row.company_id)
      .map((row) => `message ${row.id} of a foreign key`),
    ...codes
      .filter((row) => row.key_company !== row.company_id)
      .map((row) => `the code of ${row.message_id} of a foreign key`),
    ...attempts.filter(isForeign).map((row) => `an attempt of a foreign ${row.message_id}`),
    ...codes.filter(isForeign).map((row) => `a code of a foreign ${row.message_id}`),
    ...links.filter(isForeign).map((row) => `link ${row.slug} of a foreign ${row.message_id}`),
    ...entries
      .filter((row) => !owners.has(row.company_id))
      .map((row) => `an entry of nobody, ${row.company_id}`),
  ];
}
