import assert from 'node:assert/strict';
import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import type { CompanyId } from '../../../src/ids.ts';
import { openCabinetOf, readSetCookie, type TestPerson } from '../../cabinet/cabinet-client.ts';
import type { Look, Opened, usePages } from '../open-pages.ts';
import { untilLoaded } from './demo-pages.ts';

export type SignedIn = Opened & { companyId: CompanyId };

/**
 * Browsers that are signed in from their first page on, for tests about something else: a session
 * instead of a form, a code and two page loads.
 */
export function openSignedIn({
  open,
  running,
}: Pick<ReturnType<typeof usePages>, 'open' | 'running'>) {
  let cabinet: ReturnType<typeof openCabinetOf> | undefined;

  const openWith = async (cookie: string, address: string, look: Look): Promise<Opened> => {
    const [name = '', value = ''] = cookie.split(/=(.*)/s);
    const { hostname } = new URL(running().ctx.urls.publicUrl);
    const rest = {
      path: '/',
      expires: -1,
      httpOnly: true,
      secure: false,
      sameSite: 'Lax' as const,
    };
    const cookies = [{ name, value, domain: hostname, ...rest }];
    const opened = await open(address, {
      reducedMotion: 'reduce',
      storageState: { cookies, origins: [] },
      ...look,
    });
    await untilLoaded(opened.page);
    return opened;
  };

  /** A new company with a member of this role and a welcome bonus of 50 ₸. */
  const createMember = async (role: Role): Promise<TestPerson & { companyId: CompanyId }> => {
    // One for the file: each gives everybody the same phones, and a phone is one person.
    cabinet ??= openCabinetOf(running());
    const person = await cabinet.person({ role });
    assert(person.companyId !== undefined);
    return { ...person, companyId: person.companyId };
  };

  return {
    createMember,
    openWith,
    async openAs(role: Role, address = '/app', look: Look = {}): Promise<SignedIn> {
      const { cookie, companyId } = await createMember(role);
      return { ...(await openWith(cookie, address, look)), companyId };
    },
    /** As the owner of the demo company. */
    async openDemo(address: string, look: Look = {}): Promise<Opened> {
      const answer = await running().http.inject({
        method: 'POST',
        url: '/cabinet/demo',
        headers: { 'x-zhiber-cabinet': '1' },
      });
      assert.equal(answer.statusCode, 200, answer.payload);
      return await openWith(readSetCookie(answer.headers['set-cookie']) ?? '', address, look);
    },
  };
}
