/** Event streams requested with the ids of another company reveal nothing about it. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { lowestIdAt } from '../../src/ids.ts';
import { type TestKey, until, useService } from '../harness.ts';
import { createCabinetClient, type TestPerson } from './cabinet-client.ts';
import { insertPastMessages } from './past-messages.ts';
import { STREAMS } from './sample-requests.ts';

const service = useService();
const cabinet = createCabinetClient(service);

const disconnect = new AbortController();
after(() => disconnect.abort());

type Page = { status: number; received(): string };

/** Opens an event stream as a page and collects the text it receives. */
async function listen({ cookie }: TestPerson, path: string): Promise<Page> {
  if (!service.http.server.listening) await service.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = service.http.server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/cabinet${path}`, {
    headers: { cookie },
    signal: disconnect.signal,
  });
  let text = '';
  const collect = async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString('utf8');
  };
  collect().catch((error: unknown) => {
    if (!disconnect.signal.aborted) throw error;
  });
  return { status: response.status, received: () => text };
}

type Company = { owner: TestPerson; key: TestKey };

async function createCompany(): Promise<Company> {
  const owner = await cabinet.person({ role: 'owner' });
  const companyId = owner.companyId as TestKey['companyId'];
  return { owner, key: await service.key({ companyId, isTest: true }) };
}

/** Inserts a message newer than any open page. */
async function addMessage({ key }: Company, hours: number): Promise<void> {
  await insertPastMessages(service.sql, {
    ...key,
    count: 1,
    fromHours: -hours,
    toHours: -hours - 0.001,
  });
}

async function sendCode({ key }: Company, phone: string): Promise<string> {
  assert.equal((await service.call('/otp/send', { phone }, key)).status, 200);
  return service.readSentCode(key, phone);
}

const CASES: Record<string, () => Promise<void>> = {
  async liveMessages() {
    const [theirs, own] = [await createCompany(), await createCompany()];
    const start = `after=${lowestIdAt(Date.now())}`;
    const foreign = `/messages/live?${start}&key_id=${theirs.key.keyId}`;
    const stranger = await listen(own.owner, foreign);
    const unfiltered = await listen(own.owner, `/messages/live?${start}`);
    const owner = await listen(theirs.owner, foreign);
    // All streams poll at the same interval, and the owner's began last. When it has received two
    // events, the others have polled at least once.
    for (const count of [1, 2]) {
      await addMessage(theirs, count);
      await until(`event ${count}`, async () => owner.received().includes(`{"count":${count}}`));
    }
    for (const { received } of [stranger, unfiltered])
      assert.doesNotMatch(received(), /event: new/);
    await addMessage(own, 3);
    await until('the event of the own company', async () =>
      unfiltered.received().includes('{"count":1}'),
    );
    assert.doesNotMatch(stranger.received(), /event: new/);
  },

  async phoneEvents() {
    const [theirs, own] = [await createCompany(), await createCompany()];
    const phone = service.phone();
    const foreign = await listen(own.owner, `/playground/events?key_id=${theirs.key.keyId}`);
    assert.equal(foreign.status, 404);
    const page = await listen(own.owner, `/playground/events?key_id=${own.key.keyId}`);
    assert.equal(page.status, 200);
    const theirCode = await sendCode(theirs, phone);
    const ownCode = await sendCode(own, phone);
    await until('the event of the own company', async () =>
      page.received().includes(`"${ownCode}"`),
    );
    assert.equal(page.received().match(/event: message/g)?.length, 1);
    for (const { received } of [foreign, page]) {
      assert(theirCode === ownCode || !received().includes(theirCode), received());
    }
  },
};

test('every stream of the contract has a case', () => {
  assert.deepEqual(Object.keys(CASES).sort(), STREAMS.toSorted());
});

for (const [name, check] of Object.entries(CASES)) {
  test(`${name} reveals nothing about another company`, check);
}
