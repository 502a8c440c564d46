/**
 * Kannel, a client that we did not write, with our simulated message centre. Each test is named
 * "peer: case: what happened".
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { serve } from '../providers/rig/local-server.ts';
import { PHONE, until } from '../providers/rig/messages.ts';
import { PASSWORD, SYSTEM_ID, startCentre } from '../providers/smpp-rig.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

/** Both print their version when they are there. */
const isInstalled = ['bearerbox', 'smsbox'].every(
  (box) => spawnSync(box, ['--version']).error === undefined,
);
const skip = isInstalled ? false : 'Kannel is not installed here';

const START_MS = 10_000;

test('Kannel: a plain and a Cyrillic text to the simulator: both taken, and their receipts matched', {
  skip,
}, async (t) => {
  const centre = await startCentre(t);
  const receipts: (string | undefined)[] = [];
  const receiptUrl = await serve(t, (request, response) => {
    receipts.push(request.url);
    response.end();
  });
  const [adminPort, boxPort, sendPort] = [await freePort(), await freePort(), await freePort()];
  const folder = createTemporaryFolder('kannel');
  t.after(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'kannel.conf');
  await writeFile(file, configuration({ centre: centre.port, adminPort, boxPort, sendPort }));
  for (const box of ['bearerbox', 'smsbox']) {
    const child = spawn(box, ['-v', '4', file], { stdio: 'ignore' });
    t.after(() => child.kill('SIGKILL'));
    // The smsbox ends when the bearerbox does not listen yet.
    if (box === 'bearerbox') await whenUp(() => tryPort(boxPort));
  }
  await until(() => centre.figures().binds === 1, START_MS);

  const texts = ['Hello {Kannel}', 'Қош келдіңіз! '.repeat(8).trim()];
  for (const text of texts) {
    const query = new URLSearchParams({
      ...{ username: 'test', password: 'test', from: 'Zhiber', to: PHONE, text },
      ...{ charset: 'UTF-8', coding: text === texts[0] ? '0' : '2' },
      ...{ 'dlr-mask': '1', 'dlr-url': `${receiptUrl}/delivered?%d` },
    });
    const address = `http://127.0.0.1:${sendPort}/cgi-bin/sendsms?${query}`;
    assert.equal((await whenUp(() => fetch(address))).status, 202);
  }
  await until(() => centre.journal.taken().length === texts.length);
  assert.deepEqual(
    centre.journal.taken().map(({ text, to }) => [text, to]),
    texts.map((text) => [text, PHONE]),
  );
  await until(() => receipts.length >= texts.length);
  assert.ok(receipts.every((url) => url === '/delivered?1'));
  assert.equal(centre.figures().binds, 1);
});

/** While nobody listens nothing is sent, so it may be tried again. */
async function whenUp<T>(connecting: () => Promise<T>): Promise<T> {
  const until = performance.now() + START_MS;
  for (;;) {
    try {
      return await connecting();
    } catch (error) {
      if (performance.now() > until) throw error;
      await pause(50);
    }
  }
}

async function tryPort(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
}

function configuration(ports: {
  centre: number;
  adminPort: number;
  boxPort: number;
  sendPort: number;
}): string {
  return `
group = core
admin-port = ${ports.adminPort}
admin-password = test
smsbox-port = ${ports.boxPort}
dlr-storage = internal

group = smsc
smsc = smpp
host = 127.0.0.1
port = ${ports.centre}
transceiver-mode = true
smsc-username = ${SYSTEM_ID}
smsc-password = ${PASSWORD}
system-type = ""
source-addr-autodetect = yes
dest-addr-ton = 1
dest-addr-npi = 1
reconnect-delay = 1

group = smsbox
bearerbox-host = 127.0.0.1
bearerbox-port = ${ports.boxPort}
sendsms-port = ${ports.sendPort}

group = sendsms-user
username = test
password = test
max-messages = 3
concatenation = true
`;
}
