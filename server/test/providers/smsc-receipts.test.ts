import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { CallbackRequest } from '../../src/channels/provider.ts';
import { openSmsc } from '../../src/channels/sms/smsc.ts';
import { smscId } from '../../src/channels/sms/smsc-id.ts';
import { systemClock } from '../../src/clock.ts';
import { codeMessage, soon } from './rig/messages.ts';
import { ACCOUNT, openSmscRig, SECRET, STATUSES } from './smsc-rig.ts';

for (const callbackMethod of ['GET', 'POST'] as const) {
  test(`receipts by ${callbackMethod} are read, forged ones are not`, async (t) => {
    const { provider, simulator, desk } = await openSmscRig(t, { simulator: { callbackMethod } });
    const sent = codeMessage();
    simulator.plans.add({ does: 'accept', receipts: [] });
    await provider.send(sent, soon());
    const id = smscId(sent.ref);
    assert.deepEqual(await simulator.report(id, 'delivered', { copies: 2 }), [200, 200]);
    assert.deepEqual(await simulator.report(id, 'failed', { isForged: true }), [403]);
    const delivered = { reports: [{ ref: sent.ref, receipt: 'delivered' }] };
    assert.deepEqual(desk.contents, [delivered, delivered]);
  });
}

function signed(fields: Record<string, string>, secret = SECRET): Record<string, string> {
  const all = { id: '42', phone: '77010000000', status: '1', ...fields };
  const text = `${all.id}:${all.phone}:${all.status}:${secret}`;
  return { ...all, sha1: createHash('sha1').update(text).digest('hex') };
}

function posted(fields: Record<string, string>): CallbackRequest {
  const body = Buffer.from(new URLSearchParams(fields).toString());
  return { method: 'POST', headers: {}, query: {}, body };
}

const SHA1 = '096062e87ae423f243d38abd10125bb438e592bb';
const MD5 = '7f69515166807378b543b905018508c1';
const REPORTED = { id: '42', phone: '77010000000', status: '1' };
const SIGNATURES: Record<string, [fields: Record<string, string>, isAuthentic: boolean]> = {
  'sha1 alone': [{ ...REPORTED, sha1: SHA1 }, true],
  'md5 alone': [{ ...REPORTED, md5: MD5 }, true],
  both: [{ ...REPORTED, sha1: SHA1, md5: MD5 }, true],
  'in capitals': [{ ...REPORTED, sha1: SHA1.toUpperCase() }, true],
  'a wrong sha1 beside the right md5': [{ ...REPORTED, sha1: MD5, md5: MD5 }, false],
  'a flipped bit': [{ ...REPORTED, sha1: SHA1.replace(/b$/, 'a') }, false],
  'another status': [{ ...REPORTED, status: '20', sha1: SHA1 }, false],
  'another message': [{ ...REPORTED, id: '43', sha1: SHA1 }, false],
  'crc, which proves nothing': [{ ...REPORTED, crc: '12345' }, false],
  'no signature': [REPORTED, false],
  'an empty signature': [{ ...REPORTED, sha1: '' }, false],
  'nothing at all': [{}, false],
};
for (const [name, [fields, isAuthentic]] of Object.entries(SIGNATURES)) {
  test(`a callback signed with ${name} is ${isAuthentic ? 'authentic' : 'not'}`, () => {
    const provider = openSmsc({ ...ACCOUNT, callbackSecret: SECRET }, systemClock);
    const content = provider.readCallback?.(posted(fields));
    // Id 42 is nobody's reference: the account is used by somebody else, too.
    assert.deepEqual(content, isAuthentic ? { reports: [] } : undefined);
  });
}

test('without a secret no callback is authentic, not even one signed with nothing', () => {
  for (const callbackSecret of [undefined, '']) {
    const provider = openSmsc({ ...ACCOUNT, callbackSecret }, systemClock);
    assert.equal(provider.readCallback?.(posted(signed({}, ''))), undefined);
  }
});

test('a status that nobody knows is no report', () => {
  const provider = openSmsc({ ...ACCOUNT, callbackSecret: SECRET }, systemClock);
  for (const status of ['99', '', 'constructor', '1e0']) {
    assert.deepEqual(provider.readCallback?.(posted(signed({ status }))), { reports: [] });
  }
});

for (const [status, [receipt, reason]] of Object.entries(STATUSES)) {
  test(`status ${status}, reported: ${receipt ?? 'nothing final'}`, () => {
    const provider = openSmsc({ ...ACCOUNT, callbackSecret: SECRET }, systemClock);
    const { ref } = codeMessage();
    const content = provider.readCallback?.(posted(signed({ id: smscId(ref), status })));
    const [report] = content?.reports ?? [];
    assert.equal(report?.receipt, receipt);
    assert.match(report?.reason ?? '', reason ?? /^$/);
    if (report !== undefined) assert.deepEqual('ref' in report && report.ref, ref);
  });
}
