import assert from 'node:assert/strict';
import net from 'node:net';
import { type TestContext, test } from 'node:test';
import { Agent, buildConnector, request } from 'undici';
import { createCheckedConnector, NOT_PUBLIC_CODE, type Resolve } from './checked-connector.ts';

/** An address of each special-purpose block, and of each form that hides an address of IPv4. */
const INSIDE = `
  0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.8.8.8 169.254.0.1
  169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.31.196.1 192.52.193.1
  192.88.99.1 192.168.0.1 192.168.1.1 192.175.48.1 198.18.0.1 198.19.0.1 198.51.100.1
  203.0.113.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 168.63.129.16 :: ::1
  ::ffff:127.0.0.1 ::ffff:169.254.169.254 ::127.0.0.1 64:ff9b::127.0.0.1 64:ff9b:1::1 100::1
  2001::1 2001:2::1 2001:db8::1 2002:7f00:1::1 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1
  fec0::1 ff02::1
`
  .trim()
  .split(/\s+/);
const REACH = { isSandbox: true, allowsLoopback: false };
const familyOf = (address: string) => (address.includes(':') ? 6 : 4);

/** Counts what is dialled, and dials none of it. */
function watchDials(t: TestContext) {
  return t.mock.method(net, 'connect', () => {
    throw new Error('dialled');
  });
}

function agentWith(t: TestContext, resolve: Resolve) {
  const connect = createCheckedConnector(buildConnector, { reach: REACH, resolve, timeoutMs: 500 });
  const agent = new Agent({ connect });
  t.after(() => agent.destroy());
  return agent;
}

test('a literal address inside a network is not dialled, whoever asks the connector', async (t) => {
  const dials = watchDials(t);
  const dispatcher = agentWith(t, async (host) => assert.fail(`${host} was looked up`));
  for (const address of INSIDE) {
    const host = address.includes(':') ? `[${address}]` : address;
    await assert.rejects(request(`http://${host}/`, { dispatcher }), { code: NOT_PUBLIC_CODE });
  }
  assert.equal(dials.mock.callCount(), 0);
  for (const host of ['8.8.8.8', '[2a00:1450::1]']) {
    await assert.rejects(request(`http://${host}/`, { dispatcher }), /dialled/, 'a public one is');
  }
});

test('a name is dialled by none of its addresses when one of them is inside a network', async (t) => {
  /** What the socket was given to look the name up with, as Node would use it. */
  const lookups: Promise<string>[] = [];
  t.mock.method(net, 'connect', (options: net.TcpNetConnectOpts) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    options.lookup?.(options.host ?? '', { all: true }, (error, found) =>
      resolve(error?.code ?? JSON.stringify(found)),
    );
    lookups.push(promise);
    throw new Error('looked up');
  });
  const found = { address: '' };
  const dispatcher = agentWith(t, async () =>
    [found.address, '8.8.8.8'].map((address) => ({ address, family: familyOf(address) })),
  );
  for (const address of [...INSIDE, '1.1.1.1']) {
    found.address = address;
    await assert.rejects(request('http://shop.example.kz/', { dispatcher }), /looked up/);
    const expected =
      address === '1.1.1.1'
        ? '[{"address":"1.1.1.1","family":4},{"address":"8.8.8.8","family":4}]'
        : NOT_PUBLIC_CODE;
    assert.equal(await lookups.at(-1), expected, address);
  }
  assert.equal(lookups.length, INSIDE.length + 1);
});
