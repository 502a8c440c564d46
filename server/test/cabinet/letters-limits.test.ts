/** Letters to people who did not ask for them: few, to one mailbox each, with no text of a stranger. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { TEAM_ENDPOINTS as T } from '@zhiber/contract/cabinet/company.ts';
import type { CabinetEndpoint } from '@zhiber/contract/cabinet/endpoint.ts';
import { CABINET_ENDPOINTS } from '@zhiber/contract/cabinet/endpoints.ts';
import { MAIL_ADDRESS } from '@zhiber/contract/cabinet/fields.ts';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import { letterOf } from '../../src/mail/letters.ts';
import { useService } from '../harness.ts';
import { createCabinetClient, type TestPerson } from './cabinet-client.ts';
import { lettersTo } from './inbox.ts';
import { openMailServer } from './mail-server.ts';

const TRUST_PROXY = '127.0.0.1';
const service = useService({ env: { TRUST_PROXY } });
const cabinet = createCabinetClient(service);

let addresses = 0;
const newAddress = () => {
  addresses += 1;
  return { 'x-forwarded-for': `10.8.${addresses >> 8}.${addresses & 255}` };
};

type Client = ReturnType<typeof createCabinetClient>;

/** Invites by letter. Every call comes from another network unless one is given. */
const invite = (client: Client, who: TestPerson, email: string, headers = newAddress()) =>
  client.as(who).call(T.invite, { body: { role: 'viewer', email }, headers });

describe('invitations by letter', () => {
  // Open invitations have a limit of their own.
  const withdrawAll = () => service.sql('delete from invitation');
  const countOpen = async (who: TestPerson) =>
    (await cabinet.as(who).call(T.team)).ok().invitations.length;
  beforeEach(async () => {
    await service.sql('delete from sign_in_limit');
    await withdrawAll();
  });

  test('reach a mailbox three times a day, from whatever company and network', async () => {
    const [one, other] = [await person(), await person()];
    const email = 'invited@example.kz';
    for (const owner of [one, other, one]) (await invite(cabinet, owner, email)).ok();
    for (const owner of [one, other, await person()]) {
      const refusal = (await invite(cabinet, owner, email)).refused('sign_in_limited');
      assert(Number(refusal.retry_after) > 23 * 3_600, String(refusal.retry_after));
    }
    assert.equal(lettersTo(service, email).length, 3);
    await service.passTime(24 * 3_600);
    (await invite(cabinet, await person(), email)).ok();
    assert.equal(lettersTo(service, email).length, 4);
  });

  test('that are refused are not created', async () => {
    const owner = await person();
    for (let i = 0; i < 3; i++) (await invite(cabinet, owner, 'once@example.kz')).ok();
    assert.equal(await countOpen(owner), 3);
    for (let i = 0; i < 3; i++) {
      (await invite(cabinet, owner, 'once@example.kz')).refused('sign_in_limited');
    }
    assert.equal(await countOpen(owner), 3);
  });

  test('leave one network twenty times an hour', async () => {
    const address = (i: number) => ({ 'x-forwarded-for': `2001:db8:c:1::${i}` });
    const send = async (i: number) =>
      invite(cabinet, await person(), `network-${i}@example.kz`, address(i));
    for (let i = 1; i <= 20; i++) (await send(i)).ok();
    (await send(21)).refused('sign_in_limited');
    await service.passTime(3_600);
    (await send(22)).ok();
  });

  test('leave one company fifty times a day, and an invitation without a letter is none', async () => {
    const owner = await person();
    const send = (i: number) => invite(cabinet, owner, `company-${i}@example.kz`);
    for (let i = 1; i <= 50; i++) (await send(i)).ok();
    await withdrawAll();
    (await send(51)).refused('sign_in_limited');
    (await cabinet.as(owner).call(T.invite, { body: { role: 'viewer' } })).ok();
    (await invite(cabinet, await person(), 'company-51@example.kz')).ok();
    assert.equal(lettersTo(service, 'company-51@example.kz').length, 1);
  });

  const person = () => cabinet.person({ role: 'owner' });
});

test('letters that a stranger asks for reach a mailbox five times an hour, of all kinds together', async () => {
  const email = 'asked@example.kz';
  const kinds = [
    () => cabinet.call(S.signUpByEmail, { body: { name: 'А', email }, headers: newAddress() }),
    () => cabinet.call(S.forgotPassword, { body: { email }, headers: newAddress() }),
  ];
  for (let i = 0; i < 5; i++) (await kinds[i % 2]?.())?.ok();
  for (const ask of kinds) (await ask()).refused('sign_in_limited');
  assert.equal(lettersTo(service, email).length, 3, 'an unknown mailbox gets no reset');
});

/** Spellings that a list of addresses, a group or a display name would be read from. */
const SPELLINGS = [
  'a,victim@example.kz',
  'a@example.kz,victim@example.kz',
  'a@example.kz; victim@example.kz',
  '<victim@example.kz>',
  'Shop <victim@example.kz>',
  'g:victim@example.kz;',
  ' victim@example.kz',
  'victim@example.kz ',
  'vic tim@example.kz',
  'victim@example.kz\r\nBcc: other@example.kz',
  'victim@example.kz\tx',
  '"victim"@example.kz',
  'victim(comment)@example.kz',
  'victim@example.kz\u200b',
  'victim＠example.kz',
];

type Shape = {
  format?: string;
  anyOf?: Shape[];
  properties?: Record<string, Shape>;
};

const MAIL_FIELDS = (Object.entries(CABINET_ENDPOINTS) as [string, CabinetEndpoint][]).flatMap(
  ([name, endpoint]) =>
    Object.entries((endpoint.body as Shape | undefined)?.properties ?? {})
      .filter(([, shape]) => shape.format === MAIL_ADDRESS)
      .map(([field]) => ({ name, endpoint, field })),
);

describe('another spelling of an address', () => {
  test('is tried wherever the contract takes one', () => {
    const fields = MAIL_FIELDS.map(({ name, field }) => `${name}.${field}`);
    assert.deepEqual(fields.toSorted(), [
      'changeEmail.email',
      'forgotPassword.email',
      'invite.email',
      'sendPaper.email',
      'signInByEmail.email',
      'signUpByEmail.email',
    ]);
    const unchecked = (Object.entries(CABINET_ENDPOINTS) as [string, CabinetEndpoint][])
      .filter(([, { body }]) => 'email' in ((body as Shape | undefined)?.properties ?? {}))
      .filter(([name]) => !MAIL_FIELDS.some((known) => known.name === name));
    assert.deepEqual(unchecked, []);
  });

  for (const { name, endpoint, field } of MAIL_FIELDS) {
    test(`is refused by ${name}`, async () => {
      const owner = await cabinet.person({ role: 'owner' });
      await cabinet.proveIdentities();
      const rest = {
        name: 'А',
        password: 'верный конь 5',
        role: 'viewer',
        kind: 'receipt',
        id: '1',
      };
      for (const spelling of SPELLINGS) {
        const request = { body: { ...rest, [field]: spelling }, headers: newAddress() };
        const answer = await cabinet.as(owner).call(endpoint, request as never);
        const { errors } = answer.refused('validation_error');
        assert.deepEqual(Object.keys(errors as object), [field], spelling);
      }
      const letters = service.sandbox.phone.recent(500).map(({ phone }) => phone);
      assert(!letters.some((to) => to.includes('victim')), letters.join());
    });
  }

  for (const [kind, spelling] of [
    ['letter case', 'CASED@Example.KZ'],
    ['a tag', 'cased+1@example.kz'],
    ['both', 'Cased+Other+2@EXAMPLE.kz'],
  ] as const) {
    test(`by ${kind} is the same mailbox`, async () => {
      await service.sql('delete from sign_in_limit');
      const owner = await cabinet.person({ role: 'owner' });
      for (let i = 0; i < 3; i++) (await invite(cabinet, owner, 'cased@example.kz')).ok();
      (await invite(cabinet, owner, spelling)).refused('sign_in_limited');
    });
  }
});

describe('at a real mail server', async () => {
  const mail = await openMailServer();
  const env = { SMTP_URL: mail.url, MAIL_FROM: 'hello@zhiber.example', TRUST_PROXY };
  const live = useService({ env });
  const client = createCabinetClient(live);

  test('120 invitations to one mailbox are three letters, and a list of addresses reaches nobody', async (t) => {
    t.after(() => mail.close());
    const owners = await Promise.all(
      Array.from({ length: 4 }, () => client.person({ role: 'owner' })),
    );
    const spellings = ['victim@example.kz', 'Victim@Example.kz', 'victim+7@example.kz'];
    let accepted = 0;
    for (let i = 0; i < 120; i++) {
      const answer = await invite(
        client,
        owners[i % owners.length] as TestPerson,
        spellings[i % spellings.length] as string,
      );
      if (answer.status === 200) accepted += 1;
      else answer.refused('sign_in_limited');
    }
    assert.equal(accepted, 3);
    // Past the checks of the contract, the mailer itself takes a text for one address.
    const others = ['a,other@example.kz', 'a@example.kz,other@example.kz', 'g:other@example.kz;'];
    for (const to of others) {
      live.accounts.mailer.send(letterOf('known_address', 'ru', { to, link: 'https://z.kz/' }));
    }
    // Waits for all letters.
    await live.accounts.mailer.close();
    const recipients = mail.letters.flatMap(({ recipients }) => recipients);
    const victims = recipients.filter((to) => /^victim/i.test(to));
    assert.equal(victims.length, 3, recipients.join());
    assert(!recipients.includes('other@example.kz'), recipients.join());
    assert(mail.letters.every((letter) => letter.recipients.length === 1));
    const [letter] = mail.letters;
    assert.match(letter?.source ?? '', /^From: Zhiber <hello@zhiber\.example>$/m);
    assert.match(letter?.source ?? '', /^To: victim@example\.kz$/im);
    assert.doesNotMatch(letter?.source ?? '', /^(?:cc|bcc):/im);
  });
});
