import { useSuspenseQuery } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import type { OperatorSession } from '@zhiber/contract/admin/session.ts';
import { CallError } from '../call-error.ts';
import { queryClient } from '../queries.ts';
import { queryOf } from './call.ts';

/** Loads the session of the operator, or redirects to the sign-in page of the desk. */
export async function requireOperator(href: string): Promise<void> {
  try {
    await queryClient.ensureQueryData(queryOf('session'));
  } catch (error) {
    const isRefused = error instanceof CallError && (error.status === 401 || error.status === 403);
    if (!isRefused) throw error;
    throw redirect({ to: '/admin/login', search: { back: href } });
  }
}

export function useOperator(): OperatorSession {
  return useSuspenseQuery(queryOf('session')).data;
}
