import type { PROFILE_ENDPOINTS } from '@zhiber/contract/cabinet/profile.ts';
import { changeEmail, confirmNewEmail } from '../../accounts/letters.ts';
import {
  addPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
  startPasskey,
} from '../../accounts/passkeys.ts';
import { sendPhoneCode } from '../../accounts/phone-codes.ts';
import { changePassword, changePhone, changeProfile } from '../../accounts/profile.ts';
import {
  confirmSecondFactor,
  endSecondFactor,
  startSecondFactor,
} from '../../accounts/second-factor.ts';
import {
  endEveryOtherSession,
  endOwnSession,
  listOwnSecurityEvents,
  listOwnSessions,
} from '../../accounts/sessions.ts';
import { langOf } from '../pages/language.ts';
import { DONE, type HandlersOf } from './endpoint.ts';

export const PROFILE_HANDLERS: HandlersOf<typeof PROFILE_ENDPOINTS> = {
  async changeProfile({ ctx }, { body, user }) {
    await changeProfile(ctx, user, body);
    return DONE;
  },
  async changePassword({ accounts }, { body, user, origin }) {
    await changePassword(accounts, user, { ...body, origin });
    return DONE;
  },
  async changeEmail({ accounts }, { body, user, request, origin }) {
    const { address } = origin;
    await changeEmail(accounts, user, { ...body, language: langOf(request), address });
    return DONE;
  },
  async confirmNewEmail({ accounts }, { body, user, origin }) {
    await confirmNewEmail(accounts, user, { token: body.token, origin });
    return DONE;
  },
  async sendNewPhoneCode({ accounts }, { body, user, request, origin }) {
    const sent = await sendPhoneCode(accounts, {
      phone: body.phone,
      use: 'cabinet-phone',
      browser: user.sessionId,
      language: langOf(request),
      ...origin,
    });
    return { success: true, resend_after: sent.resendAfter };
  },
  async changePhone({ accounts }, { body, user, origin }) {
    await changePhone(accounts, user, { ...body, origin });
    return DONE;
  },

  async startSecondFactor({ accounts }, { user }) {
    return { success: true, ...(await startSecondFactor(accounts, user.personId)) };
  },
  async confirmSecondFactor({ accounts }, { body, user, origin }) {
    const typed = { code: body.code, origin };
    return { success: true, recovery_codes: await confirmSecondFactor(accounts, user, typed) };
  },
  async endSecondFactor({ accounts }, { user, origin }) {
    await endSecondFactor(accounts, user, origin);
    return DONE;
  },

  async passkeys({ ctx }, { user }) {
    const passkeys = await listPasskeys(ctx, user);
    return {
      success: true,
      passkeys: passkeys.map(({ id, name, createdAt, usedAt }) => ({
        id,
        name,
        created_at: createdAt.toISOString(),
        used_at: usedAt?.toISOString() ?? null,
      })),
    };
  },
  async startPasskey({ accounts }, { user, origin }) {
    return { success: true, options: await startPasskey(accounts, user, origin) };
  },
  async addPasskey({ accounts }, { body, user, origin }) {
    return { success: true, recovery_codes: await addPasskey(accounts, user, { ...body, origin }) };
  },
  async renamePasskey({ ctx }, { params, body, user }) {
    await renamePasskey(ctx, user, { id: params.id ?? '', name: body.name });
    return DONE;
  },
  async removePasskey({ accounts }, { params, user, origin }) {
    await removePasskey(accounts, user, { id: params.id ?? '', origin });
    return DONE;
  },

  async sessions({ ctx }, { user }) {
    const sessions = await listOwnSessions(ctx, user);
    return {
      success: true,
      sessions: sessions.map(({ id, device, address, createdAt, seenAt, isThis }) => ({
        id,
        device,
        address,
        created_at: createdAt.toISOString(),
        seen_at: seenAt.toISOString(),
        is_this: isThis,
      })),
    };
  },
  async endSession({ ctx }, { params, user }) {
    await endOwnSession(ctx, user, params.id ?? '');
    return DONE;
  },
  async securityEvents({ ctx }, { user }) {
    const events = await listOwnSecurityEvents(ctx, user);
    return {
      success: true,
      events: events.map((event) => ({ ...event, at: event.at.toISOString() })),
    };
  },
  async endOtherSessions({ ctx }, { user, origin }) {
    await endEveryOtherSession(ctx, user, origin);
    return DONE;
  },
};
