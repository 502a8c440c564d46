import type { ALERT_ENDPOINTS } from '@zhiber/contract/cabinet/alerts.ts';
import { changeAlert, readAlert } from '../../alerts/change-alert.ts';
import { readBalanceState } from '../../alerts/read-balance-state.ts';
import { actorOf, type HandlersOf } from './endpoint.ts';

export const ALERT_HANDLERS: HandlersOf<typeof ALERT_ENDPOINTS> = {
  async balanceState({ ctx }, { companyId }) {
    return { success: true, ...(await readBalanceState(ctx, companyId)) };
  },

  async balanceAlert({ ctx, accounts }, { companyId }) {
    const { members, groups, ...alert } = await readAlert(ctx, companyId);
    return {
      success: true,
      threshold: alert.threshold,
      emails: alert.emails,
      tells_members_in_telegram: alert.tellsMembersInTelegram,
      telegram_group_id: alert.telegramGroupId,
      announced_at: alert.announcedAt?.toISOString() ?? null,
      has_mail: accounts.mailer.isOn,
      member_emails: members.flatMap(({ email }) => email ?? []),
      telegram:
        groups === undefined
          ? null
          : {
              groups: groups.map(({ id, name }) => ({ id, name })),
              members: members.filter(({ phone }) => phone !== null).map(({ name }) => name),
            },
    };
  },

  async changeBalanceAlert({ ctx }, { body, companyId, user, origin }) {
    await changeAlert(ctx, actorOf(user, origin), {
      companyId,
      settings: {
        threshold: body.threshold,
        emails: body.emails && [...new Set(body.emails)],
        tellsMembersInTelegram: body.tells_members_in_telegram,
        telegramGroupId: body.telegram_group_id,
      },
    });
    return { success: true };
  },
};
