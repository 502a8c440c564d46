import type { PersonInSession } from '../accounts/current-user.ts';

/** The operator of a request. */
export type CurrentOperator = PersonInSession & {
  name: string;
  /** An app with codes or a passkey. */
  hasSecondFactor: boolean;
  /** When a second factor or a passkey was last used in this session; undefined when never. */
  provenAt: Date | undefined;
};

/** A session without a second factor opens nothing but the set-up of one. */
export function isComplete({ hasSecondFactor, provenAt }: CurrentOperator): boolean {
  return hasSecondFactor && provenAt !== undefined;
}
