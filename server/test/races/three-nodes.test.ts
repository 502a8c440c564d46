/** Three processes that start together on one empty database, as behind a load balancer. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { waitFor } from '../faults/fault-service.ts';
import { type ManyNodes, type Node, openNodes } from '../start/many-nodes.ts';
import { ask } from '../start/serve-harness.ts';

const RATE = 30;
/** Requests of each node; together three times what the key may. */
const REQUESTS = 30;

let all: ManyNodes;

before(async () => {
  all = await openNodes(3, { SANDBOX: 'public', HOST: '127.0.0.1' });
  // At this beat each has seen the others.
  await waitFor(
    () =>
      all.sql<{ seen: number }>(
        `select count(*)::int as seen from node_state
         where seen_at > (select max(started_at) from node_state) + interval '1 second'`,
      ),
    ([row]) => row?.seen === 3,
  );
});
after(() => all?.close());

const urlOf = ({ facts }: Node, path: string) => `http://127.0.0.1:${facts.port}${path}`;

type Message = { message_id: string; code: string };

async function readInbox(node: Node, key: string, query = ''): Promise<Message[]> {
  const answer = await fetch(urlOf(node, `/sandbox/messages?${query}`), {
    headers: { authorization: `Bearer ${key}` },
  });
  assert.equal(answer.status, 200);
  return ((await answer.json()) as { messages: Message[] }).messages;
}

test('one of them makes the demo company, and the keys of its page work at each', async () => {
  const printed = all.nodes.filter(({ facts }) => facts.keys !== null);
  assert.equal(printed.length, 1, 'one start shows keys');
  const companies = await all.sql<{ name: string }>(
    `select name from company where name = 'Демо-компания'`,
  );
  assert.equal(companies.length, 1);
  const keys: string[] = [];
  for (const node of all.nodes) {
    const session = (await (await fetch(urlOf(node, '/try/session'))).json()) as {
      keys: { test: string };
    };
    keys.push(session.keys.test);
  }
  assert.equal(new Set(keys).size, 1);
  for (const node of all.nodes) {
    const sent = await all.send(node, { key: keys[0] as string, channel: 'whatsapp' });
    assert.equal(sent.status, 200, JSON.stringify(sent.body));
  }
});

test('a key has one rate at all of them together', async () => {
  const key = await all.createKey({ ratePerMinute: RATE });
  const answers = await Promise.all(
    all.nodes.flatMap(({ facts }) =>
      Array.from({ length: REQUESTS }, () =>
        ask(facts.port, { path: '/otp/verify', key, body: { phone: '+77010000001', code: '1' } }),
      ),
    ),
  );
  const allowed = answers.filter(({ status }) => status !== 429);
  assert.equal(allowed.length, RATE);
});

test('the virtual phone shows at each what any of them sent, and forgets it at each', async () => {
  const key = await all.createKey({ isTest: true });
  const [first, second, third] = all.nodes as [Node, Node, Node];
  const waiting = readInbox(third, key, 'wait=20');
  const sent = await all.send(first, { key, channel: 'whatsapp' });
  assert.equal(sent.status, 200);
  const startedAt = performance.now();
  const [heard] = await waiting;
  assert.equal(heard?.message_id, sent.body.message_id);
  const tookMs = performance.now() - startedAt;
  assert.ok(tookMs < 5_000, `${tookMs} ms`);
  const [own] = await readInbox(first, key);
  assert.deepEqual(heard, own, 'the same message with the same code');

  await waitFor(
    () => readInbox(second, key),
    (messages) => messages.length === 1,
  );
  const removed = await fetch(urlOf(second, '/sandbox/messages'), {
    method: 'DELETE',
    headers: { authorization: `Bearer ${key}` },
  });
  assert.equal(removed.status, 200);
  await waitFor(
    async () => [...(await readInbox(first, key)), ...(await readInbox(third, key))],
    (messages) => messages.length === 0,
  );
});

test('what nodes tell each other has no code that can be read', async () => {
  const rows = await all.sql<{ sealed: Buffer }>('select sealed from sandbox_news');
  assert.ok(rows.length > 0);
  for (const { sealed } of rows) assert.doesNotMatch(sealed.toString('latin1'), /messageId|"code"/);
});

test('a node that starts later has what was sent before it, and one that stops is gone', async () => {
  const key = await all.createKey({ isTest: true });
  const sent = await all.send(all.nodes[0] as Node, { key, channel: 'telegram' });
  assert.equal(sent.status, 200);
  const late = await all.serve();
  const messages = await waitFor(
    () => readInbox(late, key),
    (found) => found.length === 1,
  );
  assert.equal(messages[0]?.message_id, sent.body.message_id);
  const running = () => all.sql<{ pid: number; role: string }>('select pid, role from node_state');
  assert.equal((await running()).length, 4);
  assert.equal((await late.stop('SIGTERM')).code, 0);
  const left = await running();
  assert.deepEqual(
    left.map(({ pid }) => pid).toSorted(),
    all.nodes.map(({ child }) => child.pid).toSorted(),
  );
  await all.audit();
});
