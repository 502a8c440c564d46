import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../config/config.ts';
import { createShortLinkCheck } from './short-link.ts';

const SITE = { PUBLIC_URL: 'https://site.example', HOST: '0.0.0.0', SANDBOX: 'public' };

const CASES = [
  { base: undefined, host: 'site.example', links: ['/s/a'], others: ['/', '/sign-in', '/go/a'] },
  {
    base: 'https://site.example/go',
    host: 'site.example',
    links: ['/go/a'],
    others: ['/s/a', '/gone', '/app'],
  },
  { base: 'https://zh.example', host: 'zh.example', links: ['/a', '/api/otp/send'], others: [] },
  { base: 'https://zh.example', host: 'site.example', links: [], others: ['/a', '/s/a'] },
];

for (const { base, host, links, others } of CASES) {
  test(`with SHORT_LINK_BASE ${base}, ${host} has the short links ${links}`, () => {
    const isShortLink = createShortLinkCheck(
      readConfig({ ...SITE, ...(base !== undefined && { SHORT_LINK_BASE: base }) }),
    );
    for (const url of links) assert.equal(isShortLink({ url, headers: { host } }), true, url);
    for (const url of others) assert.equal(isShortLink({ url, headers: { host } }), false, url);
  });
}
