import { BlockList, isIP } from 'node:net';

/**
 * Which addresses a webhook may be sent to: those that belong to a host on the public internet. The
 * tables are the special-purpose registries of IANA (RFC 6890 and what was added since).
 */
const DENIED_V4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers (CGNAT); metadata of Alibaba
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local; metadata of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; metadata of Oracle
  '192.0.2.0/24', // TEST-NET-1
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // TEST-NET-2
  '203.0.113.0/24', // TEST-NET-3
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
  // Public by its number, but every virtual machine of Azure reaches its host there.
  '168.63.129.16/32',
];

/**
 * Only this block has been given to hosts. So everything else is denied without being listed:
 * loopback, mapped IPv4 (::ffff:), NAT64 (64:ff9b::/96 and 64:ff9b:1::/48), discard-only (100::/64),
 * segment routing (5f00::/16), unique local (fc00::/7), link-local (fe80::/10), multicast (ff00::/8).
 */
const ALLOWED_V6 = '2000::/3';
const DENIED_V6 = [
  '2001::/23', // protocol assignments, with Teredo, benchmarks and ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which carries an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
];

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

function listOf(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [net, bits] = subnet.split('/') as [string, string];
    list.addSubnet(net, Number(bits), net.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

const deniedV4 = listOf(DENIED_V4);
const allowedV6 = listOf([ALLOWED_V6]);
const deniedV6 = listOf(DENIED_V6);
const loopback = listOf(LOOPBACK);

/** False for anything that is not an address, such as a name or one with a zone (`fe80::1%eth0`). */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%')) return false;
  const family = isIP(address);
  if (family === 4) return !deniedV4.check(address, 'ipv4');
  // Node compares a mapped address (::ffff:a.b.c.d) with tables of IPv4 as well; these have none.
  if (family === 6) return allowedV6.check(address, 'ipv6') && !deniedV6.check(address, 'ipv6');
  return false;
}

/** Loopback, for whoever tries the sandbox on the same machine. */
export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return false;
  return loopback.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
