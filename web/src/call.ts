import { ROUTES } from 'virtual:routes';
import type { CABINET_ENDPOINTS } from '@zhiber/contract/cabinet/endpoints.ts';
import { CallError } from './call-error.ts';
import {
  type AnswerIn,
  type ArgsIn,
  type BodyIn,
  createCaller,
  type NameIn,
  type OptionalArgs,
  type ParamsIn,
  type QueryIn,
} from './typed-call.ts';

export type { OptionalArgs } from './typed-call.ts';

export type Endpoints = typeof CABINET_ENDPOINTS;
export type EndpointName = NameIn<Endpoints>;
export type Answer<Name extends EndpointName> = AnswerIn<Endpoints, Name>;
export type Query<Name extends EndpointName> = QueryIn<Endpoints, Name>;
export type Body<Name extends EndpointName> = BodyIn<Endpoints, Name>;
export type Params<Name extends EndpointName> = ParamsIn<Endpoints, Name>;
export type CallArgs<Name extends EndpointName> = ArgsIn<Endpoints, Name>;

const caller = createCaller<Endpoints>({
  routes: ROUTES,
  prefix: '/cabinet',
  header: 'x-zhiber-cabinet',
});

/** The URL of an endpoint, for file downloads and event streams. */
export const { addressOf } = caller;

/** Handlers for refusals that need the user. The app sets them at its start. */
export const onRefusal = {
  notSignedIn: (): void => {},
  /** Resolves to whether the person has confirmed their identity. */
  staleSignIn: async (): Promise<boolean> => false,
  /** The company is suspended, or needs a second factor: the session as it is shown is outdated. */
  companyClosed: (): void => {},
};

const COMPANY_CLOSED = ['company_suspended', 'second_factor_needed'];

/** Calls an endpoint of the cabinet by its name in the contract. */
export async function call<Name extends EndpointName>(
  name: Name,
  ...[args]: OptionalArgs<CallArgs<Name>>
): Promise<Answer<Name>> {
  try {
    return await caller.request(name, args);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (error.code === 'not_signed_in') onRefusal.notSignedIn();
    if (COMPANY_CLOSED.includes(error.code)) onRefusal.companyClosed();
    if (error.code !== 'stale_sign_in' || !(await onRefusal.staleSignIn())) throw error;
    return await caller.request(name, args);
  }
}
