import type { ADMIN_SESSION_ENDPOINTS } from '@zhiber/contract/admin/session.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { startPasskey } from '../../accounts/passkeys.ts';
import { startSecondFactor } from '../../accounts/second-factor.ts';
import { joinAsOperator, readWelcome } from '../../operators/manage-operators.ts';
import {
  addCodeApp,
  addOperatorPasskey,
  confirmOperator,
  type DeskCaller,
  listOperatorFactors,
  readOperator,
  type StartedAtDesk,
  signInOperator,
  signInOperatorByPasskey,
  signInOperatorSecond,
  signInOperatorSecondByPasskey,
  signOutOperator,
  startOperatorPasskey,
  startOperatorProof,
  startOperatorSecondStep,
} from '../../operators/sign-in.ts';
import { Problem } from '../../problem.ts';
import { callerOf, DONE } from '../transport/page-call.ts';
import type { AdminHandlersOf } from './endpoint.ts';

export const ADMIN_SESSION_HANDLERS: AdminHandlersOf<typeof ADMIN_SESSION_ENDPOINTS> = {
  async signIn({ accounts }, { body, request, reply }) {
    return enter(reply, await signInOperator(accounts, body, deskCallerOf(request)));
  },
  async secondFactors({ accounts }, { request }) {
    const { hasCodeApp, hasPasskey } = await listOperatorFactors(accounts, callerOf(request));
    return { success: true, has_code_app: hasCodeApp, has_passkey: hasPasskey };
  },
  async signInSecond({ accounts }, { body, request, reply }) {
    const proof = { code: body.code, isRecoveryCode: body.is_recovery_code ?? false };
    return enter(reply, await signInOperatorSecond(accounts, proof, deskCallerOf(request)));
  },
  async startPasskeySecondStep({ accounts }, { request }) {
    const options = await startOperatorSecondStep(accounts, deskCallerOf(request));
    return { success: true, options };
  },
  async signInSecondByPasskey({ accounts }, { body, request, reply }) {
    const caller = deskCallerOf(request);
    return enter(reply, await signInOperatorSecondByPasskey(accounts, body.answer, caller));
  },
  async startPasskeySignIn({ accounts }, { origin }) {
    const { options, requestToken } = await startOperatorPasskey(accounts, origin);
    return { success: true, options, request_token: requestToken };
  },
  async signInByPasskey({ accounts }, { body, request, reply }) {
    const given = { answer: body.answer, browser: body.request_token };
    return enter(reply, await signInOperatorByPasskey(accounts, given, deskCallerOf(request)));
  },

  async readWelcome({ ctx }, { body }) {
    const { name, email, endsAt } = await readWelcome(ctx, body.token);
    return { success: true, name, email, ends_at: endsAt.toISOString() };
  },
  async welcome({ accounts }, { body, request, reply }) {
    const { cookie } = await joinAsOperator(accounts, body, deskCallerOf(request));
    reply.header('set-cookie', cookie);
    return DONE;
  },
  async startSecondFactor({ accounts }, { operator }) {
    return { success: true, ...(await startSecondFactor(accounts, operator.personId)) };
  },
  async confirmSecondFactor({ accounts }, { body, operator, origin }) {
    const codes = await addCodeApp(accounts, operator, { code: body.code, origin });
    return { success: true, recovery_codes: codes };
  },
  async startPasskey({ accounts }, { operator, origin }) {
    return { success: true, options: await startPasskey(accounts, operator, origin) };
  },
  async addPasskey({ accounts }, { body, operator, origin }) {
    const codes = await addOperatorPasskey(accounts, operator, { ...body, origin });
    return { success: true, recovery_codes: codes };
  },

  async signOut({ accounts }, { request, reply }) {
    reply.header('set-cookie', await signOutOperator(accounts, callerOf(request)));
    return DONE;
  },
  async session({ ctx }, { operator }) {
    const person = await readOperator(ctx, operator);
    return {
      success: true,
      person: {
        name: person.name,
        email: person.email,
        language: person.language,
        has_code_app: person.hasCodeApp,
        has_passkey: person.hasPasskey,
      },
      is_sandbox: ctx.channels.isSandbox,
    };
  },
  async confirmIdentity({ accounts }, { body, operator, origin }) {
    const { code, passkey, is_recovery_code: isRecoveryCode = false } = body;
    await confirmOperator(accounts, operator, { code, passkey, isRecoveryCode, origin });
    return DONE;
  },
  async startPasskeyProof({ accounts }, { operator, origin }) {
    return { success: true, options: await startOperatorProof(accounts, operator, origin) };
  },
};

function deskCallerOf(request: FastifyRequest): DeskCaller {
  return { ...callerOf(request), requestId: request.id };
}

/** Sets the session cookie. Throws when the session still needs its second factor. */
function enter(reply: FastifyReply, { cookie, missing }: StartedAtDesk): typeof DONE {
  reply.header('set-cookie', cookie);
  if (missing !== undefined) throw new Problem(missing);
  return DONE;
}
