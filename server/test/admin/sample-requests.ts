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

type GuardedName = {
  [Name in EndpointName]: Endpoints[Name]['policy'] extends 'anyone' ? never : Name;
}[EndpointName];
type Sample<Name extends EndpointName> = (things: Things) => Call<Endpoints[Name]>;

const emptyRequest = () => ({});

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
};
