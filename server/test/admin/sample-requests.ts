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
};
