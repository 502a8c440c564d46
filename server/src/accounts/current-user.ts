import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import type { CompanyId, PersonId } from '../ids.ts';

/** The signed-in person of a request, and their current company. */
export type CurrentUser = {
  personId: PersonId;
  sessionId: string;
  name: string;
  /** The current company, and the role in it at the time of this request. */
  membership: { companyId: CompanyId; role: Role } | undefined;
  /** When they last proved their identity. */
  confirmedAt: Date;
  /** When they last proved in this session that it is theirs; undefined when never. */
  provenAt: Date | undefined;
};
