import type { CABINET_ENDPOINTS } from '@zhiber/contract/cabinet/endpoints.ts';
import type { CompanyId, KeyId } from '../../src/ids.ts';
import type { Call } from './signed-in.ts';

type Endpoints = typeof CABINET_ENDPOINTS;
export type EndpointName = keyof Endpoints;

/** Things of one company, by which its endpoints are called. */
export type Belongings = {
  companyId: CompanyId;
  keyId: KeyId;
  messageId: string;
  slug: string;
  groupId: number;
  invitationId: number;
  viewId: number;
  /** Another member, who is nobody's last owner. */
  memberId: string;
};

type Sample<Name extends EndpointName> = (own: Belongings) => Call<Endpoints[Name]>;
type OfCompany = {
  [Name in EndpointName]: Endpoints[Name]['policy'] extends 'anyone' | 'signed-in' ? never : Name;
}[EndpointName];

const nothing = () => ({});
const settings = {
  name: 'Другое имя',
  domain: null,
  channels: ['sms'] as 'sms'[],
  code_length: 6,
  code_ttl_seconds: 300,
  fallback_seconds: 30,
  language: 'ru' as const,
  brand: null,
  rate_per_minute: null,
};

/**
 * A good request for each endpoint that belongs to a company. One that is missing does not compile,
 * so that no endpoint escapes the tests of who may do what.
 */
export const SAMPLES: { [Name in OfCompany]: Sample<Name> } = {
  company: nothing,
  changeCompany: () => ({
    body: { name: 'Другое имя', business_id: null, language: 'ru', brand: null },
  }),
  team: nothing,
  invite: () => ({ body: { role: 'viewer' } }),
  withdrawInvitation: ({ invitationId: id }) => ({ params: { id } }),
  changeRole: ({ memberId: id }) => ({ params: { id }, body: { role: 'viewer' } }),
  removeMember: ({ memberId: id }) => ({ params: { id } }),
  audit: nothing,
  overview: nothing,
  keys: nothing,
  createKey: () => ({ body: { name: 'Новый', mode: 'test' } }),
  changeKey: ({ keyId: id }) => ({ params: { id }, body: settings }),
  rotateKey: ({ keyId: id }) => ({ params: { id }, body: { overlap_hours: 0 } }),
  endPreviousSecret: ({ keyId: id }) => ({ params: { id } }),
  revokeKey: ({ keyId: id }) => ({ params: { id }, body: {} }),
  keyUse: ({ keyId: id }) => ({ params: { id } }),
  messages: ({ keyId: key_id }) => ({ query: { key_id } }),
  liveMessages: ({ keyId: key_id }) => ({ query: { key_id } }),
  exportMessages: ({ keyId: key_id }) => ({ query: { key_id, format: 'csv' } }),
  message: ({ messageId: id }) => ({ params: { id } }),
  views: nothing,
  saveView: () => ({ body: { name: 'Вид', filter: {} } }),
  deleteView: ({ viewId: id }) => ({ params: { id } }),
  requests: ({ keyId: key_id }) => ({ query: { key_id } }),
  requestErrors: nothing,
  links: nothing,
  createLink: () => ({ body: { url: 'https://shop.kz/' } }),
  checkAlias: () => ({ query: { alias: 'spring' } }),
  link: ({ slug }) => ({ params: { slug } }),
  disableLink: ({ slug }) => ({ params: { slug } }),
  enableLink: ({ slug }) => ({ params: { slug } }),
  groups: nothing,
  groupInvitation: nothing,
  linkGroup: () => ({ body: { name: 'Новая', channel: 'telegram', chat_id: '-1007' } }),
  renameGroup: ({ groupId: id }) => ({ params: { id }, body: { name: 'Другое имя' } }),
  unlinkGroup: ({ groupId: id }) => ({ params: { id } }),
  testGroup: ({ groupId: id }) => ({ params: { id } }),
  runOperation: ({ keyId: key_id }) => ({
    body: { key_id, operation: 'linkShorten', body: { url: 'https://shop.kz/' } },
  }),
  phoneMessages: ({ keyId: key_id }) => ({ query: { key_id } }),
  clearPhone: ({ keyId: key_id }) => ({ query: { key_id } }),
  phoneEvents: ({ keyId: key_id }) => ({ query: { key_id } }),
};

/** They answer for as long as somebody listens, and are tested where they are at home. */
export const STREAMS: readonly EndpointName[] = ['liveMessages', 'phoneEvents'];
