import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { HostileServer } from './hostile-server.ts';

/**
 * Waits until every message to these phones is settled. Fails unless each was charged and delivered,
 * and nothing else was charged. Returns the phones with a message.
 */
export async function assertCompleteSends(
  hostile: HostileServer,
  phones: string[],
  balanceBefore: number,
): Promise<string[]> {
  const read = () =>
    hostile.sql<{ state: string; charged: number; phone: string }>(
      `select state, charged, recipient::text as phone from message
       where recipient = any ($1::bigint[])`,
      [phones],
    );
  const deadline = Date.now() + 20_000;
  // Calls are read in the order in which they came: when this one is answered, all before it are under way.
  await callWithoutEffect(hostile);
  let rows = await read();
  // The callers are gone, so the end is assumed when two reads find the same settled messages.
  for (let last = -1; rows.length !== last || rows.some((row) => row.state === 'sending'); ) {
    assert(Date.now() < deadline, 'timed out waiting for messages to settle');
    last = rows.length;
    await pause(500);
    rows = await read();
  }
  for (const row of rows) assert.deepEqual([row.state, row.charged], ['sent', 3]);
  assert.equal(balanceBefore - (await readBalance(hostile)), 3 * rows.length);
  const sent = rows.map((row) => row.phone).sort();
  assert.deepEqual((await listPhonesWithMessages(hostile)).sort(), sent);
  return sent;
}

/** Takes the way of a send, to the database and back. */
async function callWithoutEffect({ port, keys }: HostileServer): Promise<void> {
  const answer = await fetch(`http://localhost:${port}/api/otp/verify`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.live}`, 'content-type': 'application/json' },
    body: JSON.stringify({ phone: '+77029999999', code: '000000' }),
  });
  const { error_code: code } = (await answer.json()) as { error_code: string };
  assert.equal(code, 'code_not_found');
}

export async function readBalance(hostile: HostileServer): Promise<number> {
  const [row] = await hostile.sql<{ balance: string }>(
    'select sum(balance) as balance from account',
  );
  return Number(row?.balance);
}

async function listPhonesWithMessages(hostile: HostileServer): Promise<string[]> {
  const answer = await fetch(`http://localhost:${hostile.port}/sandbox/messages`, {
    headers: { authorization: `Bearer ${hostile.keys.live}` },
  });
  const { messages } = (await answer.json()) as { messages: { phone: string }[] };
  return messages.map((message) => message.phone.slice(1));
}
