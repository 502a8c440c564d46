/**
 * A server that is connected to a gateway by a file, from a send to its receipt. Each test is named
 * "peer: case: what happened".
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import {
  EXAMPLES,
  SECRETS,
  withAddress,
  xmlGateway,
  xmlReports,
} from '../providers/rig/gateways.ts';
import { serve } from '../providers/rig/local-server.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { type FaultService, findCode, openService } from './fault-service.ts';

const gateway = xmlGateway();
const url = await serve({ after }, gateway.app);
let service: FaultService;

before(async () => {
  const file = path.join(createTemporaryFolder('provider-files'), 'xml.json');
  const example = readFileSync(path.join(EXAMPLES, 'xml.json'), 'utf8');
  writeFileSync(file, withAddress(example, url));
  service = await openService(() => ({ ...SECRETS, PROVIDER_FILES: file }));
});
after(() => service?.close());

async function report(lastPart: string, id: string, status: string): Promise<number> {
  const body = xmlReports([{ id, status }]);
  const headers = { 'content-type': 'text/xml' };
  const url = `${service.url}/callbacks/xml-sms${lastPart}`;
  const response = await fetch(url, { method: 'POST', headers, body });
  if (response.ok) assert.equal(await response.text(), '<reports result="ok"/>');
  return response.status;
}

const SECRET_PART = `/${encodeURIComponent(SECRETS.PROVIDER_SECRET_XML_CALLBACK)}`;

test('Express XML: a code through the whole service: charged, and delivered by a receipt to the secret address', async () => {
  const { id, phone, status, body } = await service.send('sms');
  assert.equal(status, 200, JSON.stringify(body));
  const taken = gateway.taken.at(-1);
  assert.equal(`+${taken?.to}`, phone);
  assert.equal((await service.row(id)).provider_id, `xml-sms:${taken?.id}`);

  for (const wrong of ['/', '/in%20the%20path', '/wrong', '/%00', `${SECRET_PART}x`]) {
    assert.equal(await report(wrong, taken?.id ?? '', 'DELIVRD'), 403, wrong);
  }
  for (const missing of ['', `${SECRET_PART}/more`]) {
    assert.equal(await report(missing, taken?.id ?? '', 'DELIVRD'), 404, missing);
  }
  assert.equal((await service.row(id)).receipt, null);

  assert.equal(await report(SECRET_PART, taken?.id ?? '', 'DELIVRD'), 200);
  const { receipt, charged } = await service.row(id);
  assert.equal(receipt, 'delivered');
  assert.ok(charged > 0);
  const verified = await service.verify(phone, findCode(taken?.text ?? '') ?? '');
  assert.equal(verified.status, 200);
});

test('Express XML: a code that it refuses: not charged, and the reason of the file is in the history', async () => {
  gateway.nextError = '10';
  const { id, status } = await service.send('sms');
  assert.equal(status, 502);
  const { state, charged, hold } = await service.row(id);
  assert.deepEqual({ state, charged, hold }, { state: 'failed', charged: 0, hold: 0 });
  const timeline = await service.timeline(id);
  assert.match(JSON.stringify(timeline), /Неверный номер телефона/);
});

test('Express XML: an unclear answer to a code: unknown, and not charged', async () => {
  gateway.nextError = '99';
  const { id, status } = await service.send('sms');
  assert.equal(status, 504);
  const { state, charged, hold } = await service.row(id);
  assert.deepEqual({ state, charged, hold }, { state: 'unknown', charged: 0, hold: 0 });
});

test('Express XML: codes taken, refused and unclear: measured by the name of the provider', async () => {
  const { attempts, circuit } = await service.readProviderStats('xml-sms');
  assert.equal(circuit, 'closed');
  assert.deepEqual(attempts, { accepted: 1, refused: 1, unavailable: 0, unknown: 1 });
});

test('Express XML: after all of this: no secret, code or phone is in a log, and the books are right', async () => {
  await service.assertInvariants();
});
