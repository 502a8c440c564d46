import { ROUTES } from 'virtual:admin-routes';
import type { ADMIN_ENDPOINTS } from '@zhiber/contract/admin/endpoints.ts';
import { CallError } from '../call-error.ts';
import { queryClient } from '../queries.ts';
import {
  type AnswerIn,
  type ArgsIn,
  createCaller,
  type NameIn,
  type OptionalArgs,
} from '../typed-call.ts';
import { createQueries } from '../typed-queries.ts';

export { rowsOf } from '../typed-queries.ts';

type Endpoints = typeof ADMIN_ENDPOINTS;
export type DeskEndpoint = NameIn<Endpoints>;
export type DeskAnswer<Name extends DeskEndpoint> = AnswerIn<Endpoints, Name>;

const caller = createCaller<Endpoints>({
  routes: ROUTES,
  prefix: '/admin/api',
  header: 'x-zhiber-admin',
});

/** The URL of an endpoint, for file downloads. */
export const { addressOf } = caller;

/** Handlers for refusals that need the operator. The frame of the desk sets them. */
export const onDeskRefusal = {
  /** The session has ended, or lacks its second factor. */
  signInAgain: (): void => {},
  /** Resolves to whether the operator has proved again who they are. */
  staleSignIn: async (): Promise<boolean> => false,
};

const SIGN_IN_AGAIN = ['not_signed_in', 'second_factor_required', 'second_factor_needed'];

/** Calls an endpoint of the desk by its name in the contract. */
export async function callDesk<Name extends DeskEndpoint>(
  name: Name,
  ...[args]: OptionalArgs<ArgsIn<Endpoints, Name>>
): Promise<DeskAnswer<Name>> {
  try {
    return await caller.request(name, args);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (SIGN_IN_AGAIN.includes(error.code)) onDeskRefusal.signInAgain();
    if (error.code !== 'stale_sign_in' || !(await onDeskRefusal.staleSignIn())) throw error;
    return await caller.request(name, args);
  }
}

/** Of the endpoints of the desk. Their cache is apart from that of the cabinet. */
export const { queryOf, pagesOf, invalidate, useAction } = createQueries<Endpoints>({
  call: callDesk,
  client: queryClient,
  scope: ['admin'],
});
