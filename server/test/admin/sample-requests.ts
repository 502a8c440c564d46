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
};
