import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROFILE_ENDPOINTS as P } from '@zhiber/contract/cabinet/profile.ts';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import { useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';

// Reachable by a name that is not of this machine.
const service = useService({ env: { SANDBOX: 'public' } });
const cabinet = createCabinetClient(service);

const OWN_ORIGIN = 'http://localhost:3000';
const HOST = 'zhiber.local:3000';

type Sent = {
  origin?: string | undefined;
  'sec-fetch-site'?: string | undefined;
  'x-zhiber-cabinet'?: string | undefined;
};

const ORIGINS: Record<string, boolean> = {
  '': true,
  [OWN_ORIGIN]: true,
  [`http://${HOST}`]: true,
  'https://evil.example': false,
  'http://localhost:3001': false,
  'http://localhost:3000.evil.example': false,
  null: false,
};
/** Whether a page from this site may read, and whether it may change. */
const SITES: Record<string, [reads: boolean, changes: boolean]> = {
  '': [true, true],
  'same-origin': [true, true],
  none: [true, false],
  'same-site': [false, false],
  'cross-site': [false, false],
};
const HEADER_VALUES: Record<string, boolean> = { '1': true, '': false, '0': false };

test('only pages of the cabinet can read and change, for every combination of browser headers', async () => {
  const person = await cabinet.person();
  for (const [origin, isOwnOrigin] of Object.entries(ORIGINS)) {
    for (const [site, [canSiteRead, canSiteChange]] of Object.entries(SITES)) {
      for (const [header, hasHeader] of Object.entries(HEADER_VALUES)) {
        const sent: Sent = {
          origin: origin || undefined,
          'sec-fetch-site': site || undefined,
          'x-zhiber-cabinet': header || undefined,
        };
        const headers = { ...sent, host: HOST };
        const read = await cabinet.as(person).call(S.session, { headers });
        const body = { name: 'Имя' };
        const change = await cabinet.as(person).call(P.changeProfile, { body, headers });
        const canRead = isOwnOrigin && canSiteRead;
        const canChange = isOwnOrigin && canSiteChange && hasHeader;
        assert.deepEqual(
          [read.status, change.status],
          [canRead ? 200 : 403, canChange ? 200 : 403],
          JSON.stringify(sent),
        );
      }
    }
  }
});

test('a page of another site cannot sign a person in', async () => {
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  const body = { phone: service.phone(), code: '123456', request_token: 'a'.repeat(43) };
  (await cabinet.call(S.signInByPhone, { body, headers })).refused('foreign_request');
  (await cabinet.call(S.enterDemo, { headers })).refused('foreign_request');
});

test('no cabinet answer may be cached', async () => {
  const person = await cabinet.person();
  for (const who of [person, { cookie: '' }]) {
    const { headers } = await cabinet.as(who).call(S.session);
    assert.equal(headers['cache-control'], 'no-store');
  }
});
