import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import type { CompanyId, PersonId } from '../ids.ts';

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
};
