import { hasRight, rightsOf, VIEW_RIGHTS } from '@zhiber/contract/cabinet/rights.ts';
import type { SESSION_ENDPOINTS, Session } from '@zhiber/contract/cabinet/session.ts';
import { type CurrentUser, lacksSecondFactor } from '../../accounts/current-user.ts';
import {
  finishSignUp,
  forgotPassword,
  resetPassword,
  signUpByEmail,
} from '../../accounts/letters.ts';
import { sendPhoneCode } from '../../accounts/phone-codes.ts';
import { confirmIdentity, readProfile, startPasskeyProof } from '../../accounts/profile.ts';
import { readSandboxInbox } from '../../accounts/sandbox-inbox.ts';
import { endSession, switchCompany } from '../../accounts/sessions.ts';
import {
  enterDemo,
  listSecondFactors,
  signInByEmail,
  signInByPasskey,
  signInByPhone,
  signInSecond,
  signInSecondByPasskey,
  startPasskeySecondStep,
  startPasskeySignIn,
} from '../../accounts/sign-in.ts';
import { fillDemo } from '../../demo/fill-demo.ts';
import type { CompanyId } from '../../ids.ts';
import { isMaskedPhone } from '../../phone.ts';
import { Problem } from '../../problem.ts';
import { newToken } from '../../token.ts';
import { shown } from '../pages/inbox.ts';
import { langOf } from '../pages/language.ts';
import { type Cabinet, callerOf, DONE, enter, type HandlersOf } from './endpoint.ts';

export const SESSION_HANDLERS: HandlersOf<typeof SESSION_ENDPOINTS> = {
  async signInOptions({ ctx, accounts }) {
    const { isSandbox } = ctx.channels;
    return {
      success: true,
      is_sandbox: isSandbox,
      has_demo: isSandbox && ctx.demo !== undefined,
      has_mail: accounts.mailer.isOn,
    };
  },
  session: (cabinet, { user }) => showSession(cabinet, user),

  async sendPhoneCode({ accounts }, { body, request, origin }) {
    const { requestId, address } = origin;
    const browser = body.request_token ?? newToken().token;
    const sent = await sendPhoneCode(accounts, {
      phone: body.phone,
      channel: body.channel,
      use: 'cabinet',
      browser,
      language: langOf(request),
      requestId,
      address,
    });
    return {
      success: true,
      request_token: browser,
      expires_in: sent.expiresIn,
      resend_after: sent.resendAfter,
    };
  },
  async signInByPhone({ accounts }, { body, request, reply }) {
    const { phone, code, request_token: browser } = body;
    const typed = { phone, code, browser, language: langOf(request) };
    return enter(reply, await signInByPhone(accounts, typed, callerOf(request)));
  },
  async sandboxInbox({ accounts, sandbox }, { body }) {
    const { request_token: browser, phone } = body;
    const messages = await readSandboxInbox(accounts, sandbox.phone, { browser, phone });
    return { success: true, messages: messages.map(shown) };
  },
  async signInByEmail({ accounts }, { body, request, reply }) {
    return enter(reply, await signInByEmail(accounts, body, callerOf(request)));
  },
  async signInSecond({ accounts }, { body, request, reply }) {
    const proof = { code: body.code, isRecoveryCode: body.is_recovery_code ?? false };
    const { cookie } = await signInSecond(accounts, proof, callerOf(request));
    return enter(reply, { cookie, isHalf: false });
  },
  async secondFactors({ accounts }, { request }) {
    const { hasCodeApp, hasPasskey } = await listSecondFactors(accounts, callerOf(request));
    return { success: true, has_code_app: hasCodeApp, has_passkey: hasPasskey };
  },
  async startPasskeySignIn({ accounts }, { origin }) {
    const { options, requestToken } = await startPasskeySignIn(accounts, origin);
    return { success: true, options, request_token: requestToken };
  },
  async signInByPasskey({ accounts }, { body, request, reply }) {
    const given = { answer: body.answer, browser: body.request_token };
    return enter(reply, await signInByPasskey(accounts, given, callerOf(request)));
  },
  async startPasskeySecondStep({ accounts }, { request }) {
    const options = await startPasskeySecondStep(accounts, callerOf(request));
    return { success: true, options };
  },
  async signInSecondByPasskey({ accounts }, { body, request, reply }) {
    return enter(reply, await signInSecondByPasskey(accounts, body.answer, callerOf(request)));
  },

  async signUpByEmail({ accounts }, { body, request, origin }) {
    const { name, email, request_token: browser } = body;
    const typed = { name, email, browser, language: langOf(request) };
    await signUpByEmail(accounts, typed, origin.address);
    return DONE;
  },
  async finishSignUp({ accounts }, { body, request, reply }) {
    return enter(reply, await finishSignUp(accounts, body, callerOf(request)));
  },
  async forgotPassword({ accounts }, { body, request, origin }) {
    const { email, request_token: browser } = body;
    const typed = { email, browser, language: langOf(request) };
    await forgotPassword(accounts, typed, origin.address);
    return DONE;
  },
  async resetPassword({ accounts }, { body, origin }) {
    await resetPassword(accounts, { ...body, origin });
    return DONE;
  },

  async enterDemo(cabinet, { request, reply }) {
    const started = await enterDemo(cabinet.accounts, callerOf(request));
    await fillDemo(cabinet.ctx, langOf(request));
    return enter(reply, started);
  },
  async signOut({ accounts }, { request, reply }) {
    reply.header('set-cookie', await endSession(accounts, callerOf(request)));
    return DONE;
  },
  async confirmIdentity({ accounts }, { body, user, origin }) {
    const { password, code, is_recovery_code: isRecoveryCode, passkey } = body;
    await confirmIdentity(accounts, user, { password, code, isRecoveryCode, passkey, origin });
    return DONE;
  },
  async startPasskeyProof({ accounts }, { user, origin }) {
    return { success: true, options: await startPasskeyProof(accounts, user, origin) };
  },
  async sendIdentityCode({ ctx, accounts }, { user, request, origin }) {
    const { phone, language } = (await readProfile(ctx, user)).person;
    if (phone === null) throw new Problem('not_found');
    const sent = await sendPhoneCode(accounts, {
      phone,
      use: 'cabinet-confirm',
      browser: user.sessionId,
      language: language ?? langOf(request),
      ...origin,
    });
    return { success: true, resend_after: sent.resendAfter };
  },
  async switchCompany({ ctx }, { body, user }) {
    await switchCompany(ctx, user, body.company_id as CompanyId);
    return DONE;
  },
};

async function showSession({ ctx }: Cabinet, user: CurrentUser): Promise<Session> {
  const { membership, viewUntil } = user;
  const { person, companies, balance } = await readProfile(ctx, user);
  const company = companies.find(({ id }) => id === membership?.companyId);
  return {
    success: true,
    person: {
      name: person.name,
      has_name: !isMaskedPhone(person.name),
      email: person.email,
      phone: person.phone,
      language: person.language,
      has_password: person.hasPassword,
      has_second_factor: person.hasSecondFactor,
      has_code_app: person.hasCodeApp,
      has_passkey: person.hasPasskey,
    },
    company:
      company === undefined
        ? null
        : {
            ...company,
            rights: viewUntil === undefined ? rightsOf(company.role) : [...VIEW_RIGHTS],
            balance: hasRight(company.role, 'company.see') ? balance : null,
            is_demo: company.id === ctx.demo?.companyId,
            suspended_because: membership?.suspendedBecause ?? null,
            needs_second_factor: lacksSecondFactor(ctx, user),
          },
    companies,
    viewed_until: viewUntil?.toISOString() ?? null,
    is_sandbox: ctx.channels.isSandbox,
    is_sms_per_part: ctx.config.isSmsPricedPerPart,
    base_url: `${ctx.urls.publicUrl}/api`,
  };
}
