/** Names go into letters, messages and pages of others: every field that takes one is in this test. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { CabinetEndpoint } from '@zhiber/contract/cabinet/endpoint.ts';
import { CABINET_ENDPOINTS } from '@zhiber/contract/cabinet/endpoints.ts';
import { PLAIN_NAME } from '@zhiber/contract/cabinet/fields.ts';
import { useService } from '../harness.ts';
import { type Call, createCabinetClient, type TestPerson } from './cabinet-client.ts';
import { createCompanyFixtures } from './company-fixtures.ts';
import {
  type Belongings,
  PERSONAL_SAMPLES,
  type PersonalThings,
  SAMPLES,
} from './sample-requests.ts';

const service = useService();
const client = createCabinetClient(service);
const { person, as, proveIdentities } = client;
const { createBelongings, snapshotCompany, assertUnchanged } = createCompanyFixtures(
  service,
  client,
);

type Shape = {
  type?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  anyOf?: Shape[];
  properties?: Record<string, Shape>;
};
type Field = { name: string; endpoint: CabinetEndpoint; field: string; shape: Shape };

/** A field that may be null is its other form. */
const bare = (shape: Shape): Shape => shape.anyOf?.find(({ type }) => type !== 'null') ?? shape;

const FIELDS: Field[] = (Object.entries(CABINET_ENDPOINTS) as [string, CabinetEndpoint][]).flatMap(
  ([name, endpoint]) =>
    Object.entries((endpoint.body as Shape | undefined)?.properties ?? {}).map(
      ([field, shape]) => ({ name, endpoint, field, shape: bare(shape) }),
    ),
);
const NAMES = FIELDS.filter(({ shape }) => shape.format === PLAIN_NAME);

/** Texts that are read by a program, or by nobody but who wrote them. */
const NO_NAMES: Record<string, string> = {
  phone: 'parsed as a phone',
  code: 'compared',
  password: 'hashed',
  current: 'compared',
  token: 'compared',
  alias: 'parsed as a slug',
  url: 'parsed as a web address, and checked',
  url_before: 'compared',
  domain: 'parsed as a domain',
  chat_id: 'an id of the messenger',
  expires_at: 'parsed as an instant',
  phones: 'parsed as phones',
  text: 'the text of a message, written by the company for its own people',
  'cancelBroadcast.name': 'compared with the name, and not stored',
  'revokeKey.reason': 'in the audit log of the company alone',
  description: 'of a webhook, shown to the company alone',
  'linkGroup.name': 'the title of a chat, shown to the company alone',
  'renameGroup.name': 'the title of a chat, shown to the company alone',
};

test('every text that the cabinet takes is a plain name, or is read in another way', () => {
  const texts = FIELDS.filter(({ shape }) => shape.type === 'string' && shape.enum === undefined)
    .filter(({ shape }) => shape.format === undefined)
    .filter(({ name, field }) => !(field in NO_NAMES) && !(`${name}.${field}` in NO_NAMES))
    // A pattern without letters to choose from, as that of a token or of a БИН.
    .filter(({ shape }) => shape.pattern === undefined || shape.pattern === '\\S');
  assert.deepEqual(
    texts.map(({ name, field }) => `${name}.${field}`),
    [],
  );
});

test('names are those of people, companies, brands, keys, payers, notes, views and passkeys', () => {
  assert.deepEqual(NAMES.map(({ name, field }) => `${name}.${field}`).toSorted(), [
    'acceptInvitation.name',
    'addPasskey.name',
    'changeBroadcast.consent_note',
    'changeBroadcast.name',
    'changeCompany.brand',
    'changeCompany.name',
    'changeKey.brand',
    'changeKey.name',
    'changeKeyBrands.brand',
    'changeProfile.name',
    'createBroadcast.name',
    'createCompany.brand',
    'createCompany.name',
    'createCompany.person_name',
    'createKey.name',
    'createList.name',
    'createTopup.payer_name',
    'invite.note',
    'renameList.name',
    'renamePasskey.name',
    'saveTemplate.name',
    'saveView.name',
    'signUpByEmail.name',
  ]);
});

const HOSTILE = {
  'a web address': 'Банк https://evil.kz',
  'a bare domain': 'вход: evil.kz',
  'a domain with a Cyrillic letter': 'kаspi.kz',
  'a domain with a Greek letter': 'evil.cοm',
  'a domain with another dot': 'evil。com',
  'a domain in Punycode': 'xn--80ak6aa92e.xn--p1ai',
  'a messenger link': 't.me/evil',
  'a line break': 'Банк\nСрочно',
  'a header of a letter': 'Банк\r\nBcc: a@b.kz',
  'a control character': 'Банк\u0007',
  'a bidirectional override': 'Банк\u202Egro',
  'a bidirectional isolate': 'Банк\u2066x\u2069',
  'a zero-width space': 'Ба\u200Bнк',
  'a line separator': 'Банк\u2028Срочно',
  'an invisible letter': 'Банк\u3164',
};

describe('a name', () => {
  let owner: TestPerson;
  let own: Belongings;
  before(async () => {
    owner = await person({ role: 'owner' });
    own = await createBelongings(owner);
    await proveIdentities();
  });

  const things = { passkeyId: 'none', invitationToken: 'none' } as PersonalThings;
  const samples = { ...SAMPLES, ...PERSONAL_SAMPLES } as Record<
    string,
    (own: Belongings & PersonalThings) => Call<unknown>
  >;
  for (const { name, endpoint, field } of NAMES) {
    test(`cannot deceive in ${name}.${field}`, async () => {
      const sample = samples[name]?.({ ...own, ...things }) ?? {
        body: { name: 'Имя', email: 'a@example.kz' },
      };
      const before = await snapshotCompany(own.companyId);
      for (const [what, text] of Object.entries(HOSTILE)) {
        const body = { ...(sample.body as object | undefined), [field]: text };
        const answer = await as(owner).call(endpoint, { ...sample, body } as never);
        const { errors } = answer.refused('validation_error');
        const expected = { [field]: ['Без адресов сайтов, переносов строк и невидимых знаков'] };
        assert.deepEqual(errors, expected, what);
      }
      await assertUnchanged(own.companyId, before);
    });
  }
});
