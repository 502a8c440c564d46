/** Streams that are asked for with what belongs to another company tell nothing of it. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { lowestIdAt } from '../../src/ids.ts';
import { type TestKey, until, useService } from '../harness.ts';
import { insertPast } from './past.ts';
import { STREAMS } from './sample-requests.ts';
import { signedIn, type TestPerson } from './signed-in.ts';

const service = useService();
const cabinet = signedIn(service);

const leaving = new AbortController();
after(() => leaving.abort());

type Page = { status: number; heard(): string };

/** A page that listens to a stream; what it hears is gathered. */
async function listen({ cookie }: TestPerson, path: string): Promise<Page> {
  if (!service.http.server.listening) await service.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = service.http.server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/cabinet${path}`, {
    headers: { cookie },
    signal: leaving.signal,
  });
  let text = '';
  const gather = async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString('utf8');
  };
  gather().catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error;
  });
  return { status: response.status, heard: () => text };
}

type Company = { owner: TestPerson; key: TestKey };

async function company(): Promise<Company> {
  const owner = await cabinet.person({ role: 'owner' });
  const companyId = owner.companyId as TestKey['companyId'];
  return { owner, key: await service.key({ companyId, isTest: true }) };
}

/** A message newer than any page. */
async function addMessage({ key }: Company, hours: number): Promise<void> {
  await insertPast(service.sql, { ...key, count: 1, fromHours: -hours, toHours: -hours - 0.001 });
}

async function sendCode({ key }: Company, phone: string): Promise<string> {
  assert.equal((await service.call('/otp/send', { phone }, key)).status, 200);
  return service.codeOn(key, phone);
}

const FOREIGN: Record<string, () => Promise<void>> = {
  async liveMessages() {
    const [theirs, own] = [await company(), await company()];
    const begin = `after=${lowestIdAt(Date.now())}`;
    const foreign = `/messages/live?${begin}&key_id=${theirs.key.keyId}`;
    const stranger = await listen(own.owner, foreign);
    const whole = await listen(own.owner, `/messages/live?${begin}`);
    const owner = await listen(theirs.owner, foreign);
    // All look equally often, and the owner's page began last: what it has heard of twice, the others
    // have looked for.
    for (const count of [1, 2]) {
      await addMessage(theirs, count);
      await until(`news ${count}`, async () => owner.heard().includes(`{"count":${count}}`));
    }
    for (const { heard } of [stranger, whole]) assert.doesNotMatch(heard(), /event: new/);
    await addMessage(own, 3);
    await until('its own', async () => whole.heard().includes('{"count":1}'));
    assert.doesNotMatch(stranger.heard(), /event: new/);
  },

  async phoneEvents() {
    const [theirs, own] = [await company(), await company()];
    const phone = service.phone();
    const foreign = await listen(own.owner, `/playground/events?key_id=${theirs.key.keyId}`);
    assert.equal(foreign.status, 404);
    const page = await listen(own.owner, `/playground/events?key_id=${own.key.keyId}`);
    assert.equal(page.status, 200);
    const theirCode = await sendCode(theirs, phone);
    const ownCode = await sendCode(own, phone);
    await until('its own', async () => page.heard().includes(`"${ownCode}"`));
    assert.equal(page.heard().match(/event: message/g)?.length, 1);
    for (const { heard } of [foreign, page]) {
      assert(theirCode === ownCode || !heard().includes(theirCode), heard());
    }
  },
};

test('every stream of the contract is tried here', () => {
  assert.deepEqual(Object.keys(FOREIGN).sort(), STREAMS.toSorted());
});

for (const [name, tellsNothing] of Object.entries(FOREIGN)) {
  test(`${name} tells nothing of another company`, tellsNothing);
}
