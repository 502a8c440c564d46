import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import type { Context } from '../context.ts';
import type { CompanyId, PersonId } from '../ids.ts';
import { Problem } from '../problem.ts';

export type Membership = {
  companyId: CompanyId;
  role: Role;
  /** The operator's reason for suspending the company: the cabinet can only be read. */
  suspendedBecause: string | undefined;
  requiresSecondFactor: boolean;
};

/** The signed-in person of a request, and their current company. */
export type CurrentUser = {
  personId: PersonId;
  sessionId: string;
  name: string;
  /** The current company, and the role in it at the time of this request. */
  membership: Membership | undefined;
  hasSecondFactor: boolean;
  /** When they last proved their identity. */
  confirmedAt: Date;
  /** When they last proved in this session that it is theirs; undefined when never. */
  provenAt: Date | undefined;
  /** Set for an operator of the installation who looks at the cabinet and can change nothing. */
  viewUntil: Date | undefined;
};

/** Somebody in a session of the cabinet or of the operator's desk. */
export type PersonInSession = Pick<CurrentUser, 'personId' | 'sessionId'>;

/**
 * Whether a person has to set up a second factor before they can use the cabinet of the company: an
 * owner may require it of everybody in it, and the operator of every owner.
 */
export function lacksSecondFactor(
  { config }: Pick<Context, 'config'>,
  user: {
    membership: Pick<Membership, 'role' | 'requiresSecondFactor'> | undefined;
    hasSecondFactor: boolean;
  },
): boolean {
  if (user.membership === undefined || user.hasSecondFactor) return false;
  const { requiresSecondFactor, role } = user.membership;
  return requiresSecondFactor || (config.requireSecondFactor === 'owners' && role === 'owner');
}

/** Long enough to fill in a form after the proof. */
const PROOF_MINUTES = 5;

/** Throws unless the person has just proved in this session that it is theirs. */
export function assertProven(
  { clock }: Pick<Context, 'clock'>,
  { provenAt }: Pick<CurrentUser, 'provenAt'>,
): void {
  const ageMs = clock.now().getTime() - (provenAt?.getTime() ?? 0);
  if (ageMs > PROOF_MINUTES * 60_000) throw new Problem('stale_sign_in');
}
