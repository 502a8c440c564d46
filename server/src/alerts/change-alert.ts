import { RIGHTS } from '@zhiber/contract/cabinet/rights.ts';
import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import { changesBetween } from '../audit-log/changes.ts';
import { lockCompany } from '../company/company-store.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { Problem } from '../problem.ts';
import {
  type AlertGroup,
  type AlertMember,
  type AlertSettings,
  findAlert,
  listAlertMembers,
  listTelegramGroups,
  storeAlert,
} from './alert-store.ts';

const OFF: AlertSettings = {
  threshold: null,
  emails: null,
  tellsMembersInTelegram: false,
  telegramGroupId: null,
};

export type AlertView = AlertSettings & {
  announcedAt: Date | null;
  members: AlertMember[];
  /** Undefined where no bot can write to people and groups. */
  groups: AlertGroup[] | undefined;
};

/** The settings of a company, and what there is to choose from. */
export async function readAlert(
  ctx: Pick<Context, 'db' | 'channels'>,
  companyId: CompanyId,
): Promise<AlertView> {
  const found = await findAlert(ctx.db, companyId);
  return {
    ...OFF,
    announcedAt: null,
    ...found,
    members: await listAlertMembers(ctx.db, companyId, RIGHTS['balance.see']),
    groups: hasBot(ctx) ? await listTelegramGroups(ctx.db, companyId) : undefined,
  };
}

export async function changeAlert(
  ctx: Pick<Context, 'db' | 'channels'>,
  actor: Actor,
  { companyId, settings }: { companyId: CompanyId; settings: AlertSettings },
): Promise<void> {
  const { telegramGroupId } = settings;
  const groups = await listTelegramGroups(ctx.db, companyId);
  if (telegramGroupId !== null && !groups.some(({ id }) => id === telegramGroupId)) {
    throw new Problem('not_found');
  }
  await ctx.db.transaction(async (tx) => {
    const { name } = await lockCompany(tx, companyId);
    const { announcedAt: _, ...before } = {
      announcedAt: null,
      ...(await findAlert(tx, companyId)),
    };
    const changes = changesBetween({ ...OFF, ...before }, settings);
    if (changes === undefined) return;
    await storeAlert(tx, companyId, settings);
    await recordAuditEvent(tx, actor, {
      companyId,
      action: 'alert.changed',
      object: name,
      ...changes,
    });
  });
}

/** Telegram reaches groups only through a bot, and the sandbox plays one. */
export function hasBot({ channels }: Pick<Context, 'channels'>): boolean {
  return channels.adapter('telegram', channels.isSandbox)?.carries.has('group') ?? false;
}
