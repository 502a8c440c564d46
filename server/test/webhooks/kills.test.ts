/** `kill -9` of a server in the middle of its calls: nothing is lost, and ids stay the same. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT_TYPES } from '@zhiber/contract/api/events.ts';
import pino from 'pino';
import { readConfig } from '../../src/config/config.ts';
import { openStorage } from '../../src/db/open-storage.ts';
import { deriveSecrets } from '../../src/secrets.ts';
import { newWebhookSecret } from '../../src/webhooks/webhook-secret.ts';
import { TEST_DATABASE_TIMEOUT_MS } from '../database-timeout.ts';
import { until } from '../harness.ts';
import { createHome } from '../start/serve-harness.ts';
import { accepts, hangs, startReceiver } from './receiver.ts';

const SECRET = 'a secret for tests alone, long enough';
const SENDS = 12;

test('a server that is killed while it calls, and right after it has answered, loses no event', async (t) => {
  const home = createHome();
  const target = await startReceiver(hangs);
  t.after(async () => {
    await target.close();
    await home.remove();
  });
  const serve = () => home.serve({ SECRET });
  const openData = () => {
    const timeout = String(TEST_DATABASE_TIMEOUT_MS);
    const config = readConfig({ DATA_DIR: home.dataDir, DATABASE_TIMEOUT_MS: timeout });
    return openStorage(config, 'visitor', pino({ level: 'silent' }));
  };
  const server = await serve();
  const { db, close } = await openData();
  const { company_id: companyId, keys } = server.facts;
  await db.query(
    `insert into webhook_endpoint (company_id, url, events, secret) values ($1, $2, $3, $4)`,
    [companyId, target.url, EVENT_TYPES, deriveSecrets(SECRET).seal(newWebhookSecret())],
  );
  await close();

  const send = async (port: number, n: number): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/otp/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys?.test}`, 'content-type': 'application/json' },
      body: JSON.stringify({ phone: `+7701${String(n).padStart(7, '0')}` }),
    });
    const body = (await response.json()) as { success: boolean; message_id: string };
    assert(body.success);
    return body.message_id;
  };
  const sent: string[] = [];
  for (let n = 0; n < SENDS / 2; n++) sent.push(await send(server.facts.port, n));
  await until('calls are under way', async () => target.received.length >= 2);
  // These are answered, and perhaps no more than that.
  for (let n = SENDS / 2; n < SENDS; n++) sent.push(await send(server.facts.port, n));
  await server.stop('SIGKILL');
  const before = new Set(target.ids());

  target.answer = accepts;
  await serve();
  const after = await openData();
  t.after(() => after.close());
  await until('every send is told', async () => {
    // The leases of the killed server end.
    await after.db.query(
      `update webhook_delivery set next_try_at = clock_timestamp() where is_trying and claim = 1 and last_try_at is null
         and next_try_at > clock_timestamp() + interval '2 seconds' and event_id = any ($1)`,
      [[...before].map((id) => id.slice(4))],
    );
    const told = new Set(
      target.received
        .slice(before.size)
        .filter(({ event }) => event.type === 'message.sent')
        .map(({ event }) => event.data.message_id),
    );
    return sent.every((id) => told.has(id));
  });
  for (const id of before) {
    assert(target.ids().filter((each) => each === id).length >= 2, `${id} was not repeated`);
  }
  const idsByMessage = new Map<unknown, Set<unknown>>();
  for (const { event, headers } of target.received) {
    const what = `${event.type} ${event.data.message_id}`;
    idsByMessage.set(what, (idsByMessage.get(what) ?? new Set()).add(headers['webhook-id']));
  }
  for (const [what, ids] of idsByMessage) assert.equal(ids.size, 1, `${what} has several ids`);
});
