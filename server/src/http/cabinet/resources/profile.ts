import type { PROFILE_ENDPOINTS } from '@zhiber/contract/cabinet/session.ts';
import { changePhone } from '../../../people/change-phone.ts';
import { changeEmail } from '../../../people/letters/change-email.ts';
import { changePassword } from '../../../people/password/change-password.ts';
import { updateProfile } from '../../../people/person-store.ts';
import { sendPhoneCode } from '../../../people/phone-codes.ts';
import { confirmSecondFactor } from '../../../people/second-factor/confirm-second-factor.ts';
import { endSecondFactor } from '../../../people/second-factor/end-second-factor.ts';
import { startSecondFactor } from '../../../people/second-factor/start-second-factor.ts';
import { deviceName } from '../../../people/session/device-name.ts';
import {
  endOtherSessions,
  endSessionOf,
  listSessions,
} from '../../../people/session/session-store.ts';
import { countAttempt } from '../../../people/sign-in/attempts.ts';
import { Problem } from '../../../problem.ts';
import { langOf } from '../../pages/add-pages.ts';
import { DONE } from '../frame/browser.ts';
import type { HandlersOf } from '../frame/endpoint.ts';

export const PROFILE_HANDLERS: HandlersOf<typeof PROFILE_ENDPOINTS> = {
  async changeProfile({ ctx }, { body, visitor }) {
    await updateProfile(ctx.db, visitor.personId, { ...body, name: body.name?.trim() });
    return DONE;
  },
  async changePassword({ people }, { body, visitor, origin }) {
    await changePassword(people, visitor, { ...body, address: origin.address });
    return DONE;
  },
  async changeEmail({ people }, { body, visitor, request, origin }) {
    const { address } = origin;
    await changeEmail(people, visitor, { ...body, language: langOf(request), address });
    return DONE;
  },
  async sendNewPhoneCode({ ctx, people }, { body, origin }) {
    const { requestId, address } = origin;
    await countAttempt(people, { what: 'phone_code', account: '', address });
    const sent = await sendPhoneCode(ctx, { phone: body.phone, use: 'cabinet-phone', requestId });
    return { success: true, resend_after: sent.resendAfter };
  },
  async changePhone({ ctx }, { body, visitor }) {
    await changePhone(ctx, visitor.personId, body);
    return DONE;
  },

  async startSecondFactor({ people }, { visitor }) {
    return { success: true, ...(await startSecondFactor(people, visitor.personId)) };
  },
  async confirmSecondFactor({ people }, { body, visitor, origin }) {
    const typed = { code: body.code, address: origin.address };
    return { success: true, recovery_codes: await confirmSecondFactor(people, visitor, typed) };
  },
  async endSecondFactor({ people }, { visitor }) {
    await endSecondFactor(people, visitor);
    return DONE;
  },

  async sessions({ ctx }, { visitor }) {
    const sessions = await listSessions(ctx.db, visitor.personId);
    return {
      success: true,
      sessions: sessions.map((session) => ({
        id: session.id,
        device: deviceName(session.device ?? ''),
        address: session.address || null,
        created_at: session.created_at.toISOString(),
        seen_at: session.seen_at.toISOString(),
        is_this: session.id === visitor.sessionId,
      })),
    };
  },
  async endSession({ ctx }, { params, visitor }) {
    const isEnded = await endSessionOf(ctx.db, visitor.personId, params.id ?? '');
    if (!isEnded) throw new Problem('not_found');
    return DONE;
  },
  async endOtherSessions({ ctx }, { visitor }) {
    await endOtherSessions(ctx.db, visitor);
    return DONE;
  },
};
