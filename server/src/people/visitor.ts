import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import type { CompanyId, PersonId } from '../ids.ts';

/** A person who is signed in, as a request meets them: who it is, and for which company. */
export type Visitor = {
  personId: PersonId;
  sessionId: string;
  name: string;
  /** The company they are in right now, and their role there as it is at this moment. */
  membership: { companyId: CompanyId; role: Role } | undefined;
  /** When they last proved who they are. */
  confirmedAt: Date;
};
