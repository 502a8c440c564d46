import { isBusinessId } from '@zhiber/contract/cabinet/business-id.ts';
import type { COMPANY_ENDPOINTS } from '@zhiber/contract/cabinet/company.ts';
import type { CurrentUser } from '../../accounts/current-user.ts';
import { changeProfile } from '../../accounts/profile.ts';
import { switchCompany } from '../../accounts/sessions.ts';
import { changeCompany, readCompany, requireSecondFactor } from '../../company/change-company.ts';
import { createCompanyForOwner } from '../../company/create-company-for-owner.ts';
import type { Context } from '../../context.ts';
import { Problem } from '../../problem.ts';
import { actorOf, type HandlersOf } from './endpoint.ts';

export const COMPANY_HANDLERS: HandlersOf<typeof COMPANY_ENDPOINTS> = {
  async createCompany({ ctx }, { body, user, origin }) {
    const facts = {
      name: body.name.trim(),
      businessId: readBusinessId(body.business_id),
      language: body.language ?? 'ru',
      brand: readBrand(body.brand),
    };
    const owner = await named(ctx, user, body.person_name);
    const made = await createCompanyForOwner(ctx, actorOf(owner, origin), facts);
    const { companyId, balance, testKey } = made;
    await switchCompany(ctx, user, companyId);
    return {
      success: true,
      id: companyId,
      balance,
      test_key: { id: testKey.keyId, key: testKey.key },
    };
  },

  async company({ ctx }, { companyId }) {
    const company = await readCompany(ctx, companyId);
    return {
      success: true,
      id: company.id,
      name: company.name,
      business_id: company.businessId,
      language: company.language,
      brand: company.brand,
      requires_second_factor: company.requiresSecondFactor,
      approval_above: company.approvalAbove,
      created_at: company.createdAt.toISOString(),
    };
  },

  async changeCompany({ ctx }, { body, companyId, user, origin }) {
    await changeCompany(ctx, actorOf(user, origin), {
      companyId,
      facts: {
        name: body.name.trim(),
        businessId: readBusinessId(body.business_id ?? undefined),
        language: body.language,
        brand: readBrand(body.brand ?? undefined),
        approvalAbove: body.approval_above,
      },
    });
    return { success: true };
  },

  async requireSecondFactor({ ctx }, { body, companyId, user, origin }) {
    const isRequired = body.is_required;
    // They would shut themselves out, too, and could not take it back.
    if (isRequired && !user.hasSecondFactor) throw new Problem('second_factor_needed');
    await requireSecondFactor(ctx, actorOf(user, origin), { companyId, isRequired });
    return { success: true };
  },
};

/** The person under the name that they have just said; without one, as they were. */
export async function named(
  ctx: Pick<Context, 'db'>,
  user: CurrentUser,
  name: string | undefined,
): Promise<CurrentUser> {
  if (name === undefined) return user;
  await changeProfile(ctx, user, { name });
  return { ...user, name: name.trim() };
}

/** Throws unless it is a possible БИН or ИИН. */
export function readBusinessId(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (isBusinessId(text)) return text;
  throw new Problem('validation_error', {
    errors: { business_id: ['Такого БИН или ИИН не бывает: проверьте цифры'] },
  });
}

/** A blank brand means none. */
export function readBrand(text: string | undefined): string | null {
  return text === undefined || text.trim() === '' ? null : text.trim();
}
