import type { ADMIN_ENDPOINTS } from '@zhiber/contract/admin/endpoints.ts';
import type { CompanyId, KeyId } from '../../src/ids.ts';
import type { Call } from '../cabinet/cabinet-client.ts';

type Endpoints = typeof ADMIN_ENDPOINTS;
export type EndpointName = keyof Endpoints;

/** What the requests refer to. */
export type Things = {
  companyId: CompanyId;
  /** Of the operator who calls. */
  recoveryCode: string;
  keyId: KeyId;
  /** A price of the company that does not hold yet. */
  priceId: number;
  /** Two corrections that wait for this operator. */
  correctionIds: readonly [string, string];
};

/** Whatever the policy refuses is refused for things that do not exist, too. */
export const NO_THINGS: Things = {
  companyId: 1 as CompanyId,
  recoveryCode: 'aaaaa-aaaaa',
  keyId: 1 as KeyId,
  priceId: 1,
  correctionIds: ['019a0000-0000-7000-8000-000000000001', '019a0000-0000-7000-8000-000000000002'],
};

export type GuardedName = {
  [Name in EndpointName]: Endpoints[Name]['policy'] extends 'anyone' ? never : Name;
}[EndpointName];
type Sample<Name extends EndpointName> = (things: Things) => Call<Endpoints[Name]>;

const emptyRequest = () => ({});
/** The id of nothing. */
const UNKNOWN = '01930000-0000-7000-8000-000000000000';

/**
 * A valid request for each endpoint that needs an operator. A missing one does not compile, so no
 * endpoint escapes the authorisation tests.
 */
export const SAMPLES: { [Name in GuardedName]: Sample<Name> } = {
  startSecondFactor: emptyRequest,
  confirmSecondFactor: () => ({ body: { code: '123456' } }),
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
  session: emptyRequest,
  confirmIdentity: ({ recoveryCode: code }) => ({ body: { code, is_recovery_code: true } }),
  startPasskeyProof: emptyRequest,
  overview: emptyRequest,
  channels: emptyRequest,
  channelQuality: emptyRequest,
  checkProvider: () => ({ params: { provider: 'smsc' } }),
  // A draft is the first incident, so the samples below find it.
  createIncident: () => ({
    body: {
      title: { ru: 'Задержки SMS' },
      impact: 'minor',
      components: ['sms'],
      state: 'investigating',
      text: { ru: 'Выясняем причину' },
    },
  }),
  incidents: emptyRequest,
  incident: () => ({ params: { incident_id: '1' } }),
  changeIncident: () => ({
    params: { incident_id: '1' },
    body: { title: { ru: 'Задержки SMS' }, impact: 'major', components: ['sms', 'api'] },
  }),
  updateIncident: () => ({
    params: { incident_id: '1' },
    body: { state: 'resolved', text: { ru: 'Всё работает' } },
  }),
  publishIncident: () => ({ params: { incident_id: '1' } }),
  discardIncident: () => ({ params: { incident_id: '1' } }),
  guardDecisions: ({ companyId: company_id }) => ({ query: { company_id } }),
  closures: emptyRequest,
  pardonStream: ({ companyId: company_id }) => ({
    body: { company_id, prefix: '7701', hours: 1, reason: 'проверено' },
  }),
  endPardon: ({ companyId }) => ({ params: { company_id: String(companyId), prefix: '7701' } }),
  unblockPerson: () => ({ params: { person_id: 'nobody' }, body: { reason: 'ошибка' } }),
  barHost: () => ({ body: { host: 'evil.kz', reason: 'обман' } }),
  unbarHost: () => ({ body: { host: 'evil.kz', reason: 'ошибка' } }),
  jobs: emptyRequest,
  retryWork: () => ({ params: { kind: 'notices' } }),
  retryJob: () => ({
    params: { queue: 'sample', job_id: '00000000-0000-0000-0000-000000000000' },
  }),
  runJob: () => ({ params: { queue: 'sample' } }),
  figures: () => ({ query: { range: '7d' } }),
  providerCosts: emptyRequest,
  setProviderCost: () => ({
    body: { provider: 'smsc', item: 'sms', valid_from: '2026-11-01', cost_tiyn: 550 },
  }),
  audit: ({ companyId: company_id }) => ({ query: { company_id } }),
  operators: emptyRequest,
  companies: () => ({ query: { search: 'Тест' } }),
  company: ({ companyId: id }) => ({ params: { id } }),
  suspendCompany: ({ companyId: id }) => ({ params: { id }, body: { reason: 'Жалобы' } }),
  resumeCompany: ({ companyId: id }) => ({ params: { id } }),
  correctBalance: ({ companyId: id }) => ({
    params: { id },
    body: { request_id: 'a'.repeat(32), amount: 100, reason: 'Сбой у провайдера' },
  }),
  waitingCorrections: emptyRequest,
  approveCorrection: ({ correctionIds: [id] }) => ({ params: { id } }),
  declineCorrection: ({ correctionIds: [, id] }) => ({ params: { id } }),
  setCompanyPrice: ({ companyId: id }) => ({ params: { id }, body: { item: 'sms', tokens: 7 } }),
  withdrawCompanyPrice: ({ companyId: id, priceId: price }) => ({ params: { id, price } }),
  chooseSenderName: ({ companyId: id }) => ({ params: { id }, body: { name: null } }),
  changeKeyLimits: ({ companyId: id, keyId: key }) => ({
    params: { id, key },
    body: { rate_per_minute: 60, monthly_cap: null },
  }),
  viewCompany: ({ companyId: id }) => ({ params: { id } }),
  paymentQueue: emptyRequest,
  paymentOrders: emptyRequest,
  payments: emptyRequest,
  payment: () => ({ params: { id: UNKNOWN } }),
  confirmOrder: () => ({
    params: { id: UNKNOWN },
    body: { amount: 1_000, paid_at: '2026-11-01T09:00:00Z', bank_reference: '15', payments: 0 },
  }),
  askAboutOrder: () => ({ params: { id: UNKNOWN } }),
  closeOrder: () => ({ params: { id: UNKNOWN }, body: { reason: 'денег нет' } }),
  importStatement: () => ({ file: Buffer.from('Дата;Сумма;Назначение') }),
  matchLine: () => ({ params: { id: UNKNOWN }, body: { reference: 'ZB-AAAAAAAA' } }),
  previewRefund: () => ({ params: { id: UNKNOWN }, query: { amount: 100 } }),
  refundPayment: () => ({
    params: { id: UNKNOWN },
    body: { amount: 100, reason: 'ошибка', refunded: 0 },
  }),
  settleRefund: () => ({ params: { id: UNKNOWN }, body: { result: 'done', note: '15' } }),
  retryRefund: () => ({ params: { id: UNKNOWN } }),
  retryFiscalReceipt: () => ({ params: { id: UNKNOWN } }),
  reviewPayment: () => ({ body: { kind: 'payment', id: UNKNOWN } }),
  prices: emptyRequest,
  previewPrice: () => ({ query: { item: 'sms' } }),
  setPrice: () => ({ body: { item: 'sms', tokens: 9 } }),
  withdrawPrice: () => ({ params: { id: 1 } }),
  senderNames: emptyRequest,
  addSenderName: () => ({ body: { name: 'Zhiber' } }),
  removeSenderName: () => ({ params: { name: 'Zhiber' } }),
  findStory: () => ({ body: { search: '+77011234567' } }),
};

/** Samples that name what is not there, or holds already: the code of the endpoint refuses them. */
export const REFUSED_SAMPLES: { [Name in GuardedName]?: 'not_found' | 'price_holds' } = {
  payment: 'not_found',
  confirmOrder: 'not_found',
  askAboutOrder: 'not_found',
  closeOrder: 'not_found',
  matchLine: 'not_found',
  previewRefund: 'not_found',
  refundPayment: 'not_found',
  settleRefund: 'not_found',
  retryRefund: 'not_found',
  retryFiscalReceipt: 'not_found',
  reviewPayment: 'not_found',
  withdrawPrice: 'price_holds',
};
