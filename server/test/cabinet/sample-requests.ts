import type { CABINET_ENDPOINTS } from '@zhiber/contract/cabinet/endpoints.ts';
import type { CompanyId, KeyId } from '../../src/ids.ts';
import type { Call } from './cabinet-client.ts';

/** Where the link of the belongings leads. */
export const SAMPLE_LINK_URL = 'https://shop.kz/?canary';

type Endpoints = typeof CABINET_ENDPOINTS;
export type EndpointName = keyof Endpoints;

/** Ids of one company's objects, used as parameters of its endpoints. */
export type Belongings = {
  companyId: CompanyId;
  keyId: KeyId;
  messageId: string;
  /** Of the call that sent it. */
  requestId: string;
  slug: string;
  groupId: number;
  invitationId: number;
  viewId: number;
  receiptNumber: number;
  /** An order that can still be paid. */
  orderId: string;
  /** A month that is over, in which the company existed: `2026-10`. */
  pastMonth: string;
  /** A draft with one row that is sent. */
  broadcastId: string;
  /** A list with the member `listPhone`. */
  listId: number;
  listPhone: string;
  /** On the company's own list of phones that get no broadcasts. */
  unsubscribedPhone: string;
  /** Broadcasts in these states, and their name: `asked` waits for a second person. */
  broadcastsBy: Record<'asked' | 'scheduled' | 'running' | 'paused', string>;
  broadcastName: string;
  /** A broadcast that was sent, with one recipient who was not reached. */
  endedBroadcastId: string;
  /** A member who is not the last owner. */
  memberId: string;
  templateId: number;
  webhookId: number;
  /** The `webhook-id` of an event that was not delivered to it. */
  eventId: string;
};

type Sample<Name extends EndpointName> = (own: Belongings) => Call<Endpoints[Name]>;
type CompanyEndpointName = {
  [Name in EndpointName]: Endpoints[Name]['policy'] extends 'anyone' | 'signed-in' ? never : Name;
}[EndpointName];

const emptyRequest = () => ({});
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
  monthly_cap: null,
  daily_cap: null,
  expires_at: null,
};

/**
 * A valid request for each endpoint of a company. A missing one does not compile, so no endpoint
 * escapes the authorisation tests.
 */
export const SAMPLES: { [Name in CompanyEndpointName]: Sample<Name> } = {
  company: emptyRequest,
  changeCompany: () => ({
    body: {
      ...{ name: 'Другое имя', business_id: null, language: 'ru', brand: null },
      approval_above: null,
    },
  }),
  requireSecondFactor: () => ({ body: { is_required: false } }),
  team: emptyRequest,
  invite: () => ({ body: { role: 'viewer' } }),
  withdrawInvitation: ({ invitationId: id }) => ({ params: { id } }),
  changeRole: ({ memberId: id }) => ({ params: { id }, body: { role: 'viewer' } }),
  removeMember: ({ memberId: id }) => ({ params: { id } }),
  audit: emptyRequest,
  overview: emptyRequest,
  balance: emptyRequest,
  ledger: emptyRequest,
  exportLedger: () => ({ query: { by: 'line', format: 'csv' } }),
  spend: emptyRequest,
  keys: emptyRequest,
  createKey: () => ({ body: { name: 'Новый', mode: 'test' } }),
  changeKey: ({ keyId: id }) => ({ params: { id }, body: settings }),
  changeKeyBrands: ({ keyId: id }) => ({ body: { ids: [id], brand: 'Лавка' } }),
  rotateKey: ({ keyId: id }) => ({ params: { id }, body: { overlap_hours: 0 } }),
  endPreviousSecret: ({ keyId: id }) => ({ params: { id } }),
  revokeKey: ({ keyId: id }) => ({ params: { id }, body: {} }),
  keyUse: ({ keyId: id }) => ({ params: { id } }),
  messages: ({ keyId: key_id }) => ({ query: { key_id } }),
  liveMessages: ({ keyId: key_id }) => ({ query: { key_id } }),
  exportMessages: ({ keyId: key_id }) => ({ query: { key_id, format: 'csv' } }),
  message: ({ messageId: id }) => ({ params: { id } }),
  resendMessage: ({ messageId: id }) => ({ params: { id }, body: { channel: 'sms' } }),
  views: emptyRequest,
  saveView: () => ({ body: { name: 'Вид', filter: {} } }),
  deleteView: ({ viewId: id }) => ({ params: { id } }),
  requests: ({ keyId: key_id }) => ({ query: { key_id } }),
  request: ({ requestId: id }) => ({ params: { id } }),
  requestErrors: emptyRequest,
  links: emptyRequest,
  createLink: () => ({ body: { url: 'https://shop.kz/' } }),
  checkAlias: () => ({ query: { alias: 'spring' } }),
  link: ({ slug }) => ({ params: { slug } }),
  linkClicks: ({ slug }) => ({ params: { slug } }),
  changeLink: ({ slug }) => ({
    params: { slug },
    body: { url_before: SAMPLE_LINK_URL, url: 'https://shop.kz/new' },
  }),
  tagLink: ({ slug }) => ({ params: { slug }, body: { tags: ['весна'] } }),
  linkOptions: emptyRequest,
  disableLink: ({ slug }) => ({ params: { slug } }),
  enableLink: ({ slug }) => ({ params: { slug } }),
  groups: emptyRequest,
  groupInvitation: () => ({ body: { channel: 'telegram' } }),
  linkGroup: () => ({ body: { name: 'Новая', channel: 'telegram', chat_id: '-1007' } }),
  renameGroup: ({ groupId: id }) => ({ params: { id }, body: { name: 'Другое имя' } }),
  unlinkGroup: ({ groupId: id }) => ({ params: { id } }),
  testGroup: ({ groupId: id }) => ({ params: { id } }),
  balanceState: emptyRequest,
  balanceAlert: emptyRequest,
  changeBalanceAlert: () => ({
    body: {
      threshold: 500,
      emails: null,
      tells_members_in_telegram: false,
      telegram_group_id: null,
    },
  }),
  uploadRows: ({ broadcastId: id }) => ({
    params: { id },
    query: { name: 'clients.csv', source: 'file' },
    file: Buffer.from('87011234567'),
  }),
  useList: ({ broadcastId: id, listId: list_id }) => ({ params: { id }, body: { list_id } }),
  chooseColumns: ({ broadcastId: id }) => ({
    params: { id },
    body: { phone: 1, consent: null, names: ['Телефон'] },
  }),
  rows: ({ broadcastId: id }) => ({ params: { id } }),
  fixRow: ({ broadcastId: id }) => ({ params: { id, number: 1 }, body: { phone: '87021234567' } }),
  downloadRows: ({ broadcastId: id }) => ({ params: { id } }),
  recipientLists: emptyRequest,
  createList: () => ({ body: { name: 'Новый список' } }),
  renameList: ({ listId: id }) => ({ params: { id }, body: { name: 'Другое имя' } }),
  listMembers: ({ listId: id }) => ({ params: { id } }),
  removeListMember: ({ listId: id, listPhone: phone }) => ({ params: { id, phone } }),
  importIntoList: ({ listId: id, broadcastId: broadcast_id }) => ({
    params: { id },
    body: { broadcast_id },
  }),
  deleteList: ({ listId: id }) => ({ params: { id } }),
  unsubscribed: emptyRequest,
  unsubscribePhones: () => ({ body: { phones: '87031234567' } }),
  removeUnsubscribed: ({ unsubscribedPhone: phone }) => ({ params: { phone } }),
  runOperation: ({ keyId: key_id }) => ({
    body: { key_id, operation: 'linkShorten', body: { url: 'https://shop.kz/' } },
  }),
  phoneMessages: ({ keyId: key_id }) => ({ query: { key_id } }),
  clearPhone: ({ keyId: key_id }) => ({ query: { key_id } }),
  phoneEvents: ({ keyId: key_id }) => ({ query: { key_id } }),
  topupOptions: emptyRequest,
  topups: emptyRequest,
  topup: ({ orderId: id }) => ({ params: { id } }),
  createTopup: () => ({
    body: {
      request_id: 'sample-request-1',
      provider: 'transfer',
      amount: 5_000,
      payer_name: 'ТОО «Плательщик»',
    },
  }),
  cancelTopup: ({ orderId: id }) => ({ params: { id } }),
  claimTopup: ({ orderId: id }) => ({ params: { id } }),
  papers: emptyRequest,
  receiptFile: ({ receiptNumber: number }) => ({ params: { number } }),
  invoiceFile: ({ orderId: id }) => ({ params: { id } }),
  actFile: ({ pastMonth: month }) => ({ query: { month } }),
  monthFile: ({ pastMonth: month }) => ({ query: { month } }),
  sendPaper: ({ receiptNumber }) => ({
    body: { kind: 'receipt', id: String(receiptNumber), email: 'books@example.kz' },
  }),
  broadcasts: emptyRequest,
  createBroadcast: () => ({ body: { name: 'Новая рассылка' } }),
  broadcast: ({ broadcastId: id }) => ({ params: { id } }),
  changeBroadcast: ({ broadcastId: id }) => ({ params: { id }, body: { name: 'Другое имя' } }),
  deleteBroadcast: ({ broadcastId: id }) => ({ params: { id } }),
  checkText: ({ broadcastId: id }) => ({ params: { id } }),
  whatsappTemplates: emptyRequest,
  sendToMe: ({ broadcastId: id }) => ({ params: { id } }),
  estimate: ({ broadcastId: id }) => ({ params: { id } }),
  broadcastTemplates: emptyRequest,
  saveTemplate: () => ({ body: { name: 'Новый шаблон', text: 'Скидка', url: null } }),
  deleteTemplate: ({ templateId: id }) => ({ params: { id } }),
  startBroadcast: ({ broadcastId: id }) => ({
    params: { id },
    body: { recipients: 1, version: 1 },
  }),
  approveBroadcast: ({ broadcastsBy: { asked: id } }) => ({
    params: { id },
    body: { recipients: 0, version: 1 },
  }),
  withdrawBroadcast: ({ broadcastsBy: { scheduled: id } }) => ({ params: { id } }),
  pauseBroadcast: ({ broadcastsBy: { running: id } }) => ({ params: { id } }),
  resumeBroadcast: ({ broadcastsBy: { paused: id } }) => ({ params: { id } }),
  cancelBroadcast: ({ broadcastsBy: { running: id }, broadcastName: name }) => ({
    params: { id },
    body: { name },
  }),
  results: ({ endedBroadcastId: id }) => ({ params: { id } }),
  recipients: ({ endedBroadcastId: id }) => ({ params: { id } }),
  exportRecipients: ({ endedBroadcastId: id }) => ({
    params: { id },
    query: { which: 'all', format: 'csv' },
  }),
  repeatFailed: ({ endedBroadcastId: id }) => ({ params: { id } }),
  webhooks: emptyRequest,
  createWebhook: () => ({ body: { url: 'https://shop.kz/hook', events: ['message.sent'] } }),
  webhook: ({ webhookId: id }) => ({ params: { id } }),
  changeWebhook: ({ webhookId: id }) => ({
    params: { id },
    body: {
      ...{ url: 'https://shop.kz/other', description: '', shows_phones: false },
      events: ['message.read'],
    },
  }),
  switchWebhook: ({ webhookId: id }) => ({ params: { id }, body: { is_on: false } }),
  deleteWebhook: ({ webhookId: id }) => ({ params: { id } }),
  webhookSecret: ({ webhookId: id }) => ({ params: { id } }),
  rotateWebhookSecret: ({ webhookId: id }) => ({ params: { id } }),
  webhookDeliveries: ({ webhookId: id }) => ({ params: { id } }),
  webhookDelivery: ({ webhookId: id, eventId: event }) => ({ params: { id, event } }),
  countReplay: ({ webhookId: id }) => ({
    params: { id },
    query: { which: 'all', since: '2026-01-01T00:00:00Z' },
  }),
  replayWebhook: ({ webhookId: id, eventId }) => ({ params: { id }, body: { events: [eventId] } }),
  testWebhook: ({ webhookId: id }) => ({ params: { id } }),
  webhookFigures: ({ webhookId: id }) => ({ params: { id } }),
  webhookEvents: emptyRequest,
};

/** What a person's own changes refer to. */
export type PersonalThings = {
  otherCompanyId: CompanyId;
  /** Of an invitation to one more company. */
  invitationToken: string;
  newPhone: string;
  newPhoneCode: string;
  unusedPhone: string;
  /** From the letter to a new address. */
  emailToken: string;
  otherSessionId: string;
  passkeyId: string;
  recoveryCode: string;
};

type PersonalChange = {
  [Name in EndpointName]: Endpoints[Name]['policy'] extends 'signed-in'
    ? Endpoints[Name]['method'] extends 'GET'
      ? never
      : Name
    : never;
}[EndpointName];

type PersonalSample<Name extends EndpointName> = (own: PersonalThings) => Call<Endpoints[Name]>;

/** A valid request for each change that needs a session and no company. */
export const PERSONAL_SAMPLES: { [Name in PersonalChange]: PersonalSample<Name> } = {
  signOut: emptyRequest,
  confirmIdentity: ({ recoveryCode: code }) => ({ body: { code, is_recovery_code: true } }),
  startPasskeyProof: emptyRequest,
  sendIdentityCode: emptyRequest,
  switchCompany: ({ otherCompanyId: company_id }) => ({ body: { company_id } }),
  changeProfile: () => ({ body: { name: 'Другое имя' } }),
  changePassword: () => ({ body: { password: 'верный конь 5' } }),
  changeEmail: () => ({ body: { email: 'another@example.kz' } }),
  confirmNewEmail: ({ emailToken: token }) => ({ body: { token } }),
  sendNewPhoneCode: ({ unusedPhone: phone }) => ({ body: { phone } }),
  changePhone: ({ newPhone: phone, newPhoneCode: code }) => ({ body: { phone, code } }),
  startSecondFactor: emptyRequest,
  confirmSecondFactor: () => ({ body: { code: '123456' } }),
  endSecondFactor: emptyRequest,
  startPasskey: emptyRequest,
  addPasskey: () => ({
    body: {
      name: 'Телефон',
      answer: {
        id: 'AAAA',
        rawId: 'AAAA',
        type: 'public-key',
        response: { clientDataJSON: 'e30', attestationObject: 'AAAA' },
        clientExtensionResults: {},
      },
    },
  }),
  renamePasskey: ({ passkeyId: id }) => ({ params: { id }, body: { name: 'Другое имя' } }),
  removePasskey: ({ passkeyId: id }) => ({ params: { id } }),
  endSession: ({ otherSessionId: id }) => ({ params: { id } }),
  endOtherSessions: emptyRequest,
  createCompany: () => ({ body: { name: 'Новая компания' } }),
  acceptInvitation: ({ invitationToken: token }) => ({ body: { token } }),
};

/** Endpoints that answer until the client disconnects. They have tests of their own. */
export const STREAMS: readonly EndpointName[] = ['liveMessages', 'phoneEvents'];
