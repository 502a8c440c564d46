import type { Actor } from './audit-log-store.ts';

/**
 * An operator in the audit log of a company: by name alone. The address and the request are those of
 * the desk, and are in its own audit.
 */
export function companyActorOf({ person }: Actor): Actor {
  return { person };
}
