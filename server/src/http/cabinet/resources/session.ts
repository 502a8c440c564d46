import { rightsOf } from '@zhiber/contract/cabinet/rights.ts';
import type { SESSION_ENDPOINTS, Session } from '@zhiber/contract/cabinet/session.ts';
import { findBalance } from '../../../billing/ledger-store.ts';
import { findDemo } from '../../../company/demo-company.ts';
import type { CompanyId } from '../../../ids.ts';
import { confirmIdentity } from '../../../people/confirm-identity.ts';
import { confirmEmail } from '../../../people/letters/confirm-email.ts';
import { forgotPassword } from '../../../people/letters/forgot-password.ts';
import { resetPassword } from '../../../people/letters/reset-password.ts';
import { signUpByEmail } from '../../../people/letters/sign-up-by-email.ts';
import { findPerson, listCompanies } from '../../../people/person-store.ts';
import { sendPhoneCode } from '../../../people/phone-codes.ts';
import { endSession } from '../../../people/session/end-session.ts';
import { enterCompany } from '../../../people/session/session-store.ts';
import { countAttempt } from '../../../people/sign-in/attempts.ts';
import { enterDemo } from '../../../people/sign-in/enter-demo.ts';
import { signInByEmail } from '../../../people/sign-in/sign-in-by-email.ts';
import { signInByPhone } from '../../../people/sign-in/sign-in-by-phone.ts';
import { signInSecond } from '../../../people/sign-in/sign-in-second.ts';
import type { Visitor } from '../../../people/visitor.ts';
import { Problem } from '../../../problem.ts';
import { langOf } from '../../pages/add-pages.ts';
import { fillDemo } from '../demo/fill-demo.ts';
import { callerOf, DONE, enter } from '../frame/browser.ts';
import type { Cabinet, HandlersOf } from '../frame/endpoint.ts';

export const SESSION_HANDLERS: HandlersOf<typeof SESSION_ENDPOINTS> = {
  async entrance({ ctx, people }) {
    const { isSandbox } = ctx.channels;
    // Whoever is here is about to sign in; while they type, what checks it is loaded.
    people.auth().catch((error: unknown) => ctx.log.error({ err: error }, 'sign-in not loaded'));
    return {
      success: true,
      is_sandbox: isSandbox,
      has_demo: isSandbox && findDemo(ctx) !== undefined,
      has_mail: people.mailer.isOn,
    };
  },
  session: (cabinet, { visitor }) => showSession(cabinet, visitor),

  async sendPhoneCode({ ctx, people }, { body, origin }) {
    const { requestId, address } = origin;
    await countAttempt(people, { what: 'phone_code', account: '', address });
    const sent = await sendPhoneCode(ctx, { ...body, use: 'cabinet', requestId });
    return { success: true, expires_in: sent.expiresIn, resend_after: sent.resendAfter };
  },
  async signInByPhone({ people }, { body, request, reply }) {
    return enter(reply, await signInByPhone(people, body, callerOf(request)));
  },
  async signInByEmail({ people }, { body, request, reply }) {
    return enter(reply, await signInByEmail(people, body, callerOf(request)));
  },
  async signInSecond({ people }, { body, request, reply }) {
    const proof = { code: body.code, isRecoveryCode: body.is_recovery_code ?? false };
    const { cookies } = await signInSecond(people, proof, callerOf(request));
    return enter(reply, { cookies, isHalf: false });
  },

  async signUpByEmail({ people }, { body, request, origin }) {
    await signUpByEmail(people, { ...body, language: langOf(request) }, origin.address);
    return DONE;
  },
  async confirmEmail({ people }, { body, visitor, request, reply }) {
    const { token } = body;
    const started = await confirmEmail(people, { token, visitor }, callerOf(request));
    return started === undefined ? DONE : enter(reply, started);
  },
  async forgotPassword({ people }, { body, request, origin }) {
    await forgotPassword(people, { ...body, language: langOf(request) }, origin.address);
    return DONE;
  },
  async resetPassword({ people }, { body }) {
    await resetPassword(people, body);
    return DONE;
  },

  async enterDemo(cabinet, { request, reply }) {
    const started = await enterDemo(cabinet.people, callerOf(request));
    await fillDemo(cabinet);
    return enter(reply, started);
  },
  async signOut({ people }, { request, reply }) {
    reply.header('set-cookie', await endSession(people, callerOf(request)));
    return DONE;
  },
  async confirmIdentity({ people }, { body, visitor, origin }) {
    await confirmIdentity(people, visitor, { ...body, address: origin.address });
    return DONE;
  },
  async sendIdentityCode({ ctx }, { visitor, origin }) {
    const { phone } = await findPerson(ctx.db, visitor.personId);
    if (phone === null) throw new Problem('not_found');
    const { requestId } = origin;
    const sent = await sendPhoneCode(ctx, { phone, use: 'cabinet-confirm', requestId });
    return { success: true, resend_after: sent.resendAfter };
  },
  async switchCompany({ ctx }, { body, visitor }) {
    const isMember = await enterCompany(ctx.db, visitor, body.company_id as CompanyId);
    if (!isMember) throw new Problem('not_found');
    return DONE;
  },
};

async function showSession({ ctx }: Cabinet, visitor: Visitor): Promise<Session> {
  const { membership } = visitor;
  const [person, companies, balance] = await Promise.all([
    findPerson(ctx.db, visitor.personId),
    listCompanies(ctx.db, visitor.personId),
    membership && findBalance(ctx.db, membership.companyId),
  ]);
  const company = companies.find(({ id }) => id === membership?.companyId);
  return {
    success: true,
    person: {
      name: person.name,
      email: person.email,
      phone: person.phone,
      language: person.language,
      has_password: person.hasPassword,
      has_second_factor: person.hasSecondFactor,
    },
    company:
      company === undefined
        ? null
        : {
            ...company,
            rights: rightsOf(company.role),
            balance: balance ?? 0,
            is_demo: company.id === findDemo(ctx)?.companyId,
          },
    companies,
    is_sandbox: ctx.channels.isSandbox,
    base_url: `${ctx.urls.publicUrl}/api`,
  };
}
