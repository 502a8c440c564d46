import type { ADMIN_ENDPOINTS } from '@zhiber/contract/admin/endpoints.ts';
import type { CompanyId } from '../../src/ids.ts';
import type { Call } from '../cabinet/cabinet-client.ts';

type Endpoints = typeof ADMIN_ENDPOINTS;
export type EndpointName = keyof Endpoints;

/** What the requests refer to. */
export type Things = {
  companyId: CompanyId;
  /** Of the operator who calls. */
  recoveryCode: string;
};

type GuardedName = {
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
  audit: ({ companyId: company_id }) => ({ query: { company_id } }),
  operators: emptyRequest,
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
