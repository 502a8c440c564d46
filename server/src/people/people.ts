import type { IncomingHttpHeaders } from 'node:http';
import type { CompanyId } from '../ids.ts';
import type { Visitor } from './visitor.ts';

/** Accounts of people, their sessions and how they prove who they are. */
export type People = {
  /** Undefined when nobody is signed in, or no longer. */
  findVisitor(headers: IncomingHttpHeaders): Promise<Visitor | undefined>;
  /** From now on this session works for that company, of which the person is a member. */
  enterCompany(visitor: Visitor, companyId: CompanyId): Promise<void>;
  /** E-mail or phone, whichever the person has. */
  contactOf(person: { email: string; phone: string | null }): string;
  /** By letter, where letters can be sent. */
  sendInvitation(invitation: {
    email: string;
    link: string;
    companyId: CompanyId;
    invitedBy: string;
  }): Promise<void>;
};
