import { isBusinessId } from '@zhiber/contract/cabinet/business-id.ts';
import type { COMPANY_ENDPOINTS } from '@zhiber/contract/cabinet/company.ts';
import { changeCompany } from '../../../company/change-company.ts';
import { findCompany, type StoredCompany } from '../../../company/company-store.ts';
import { foundCompany } from '../../../company/found-company.ts';
import { enterCompany } from '../../../people/session/session-store.ts';
import { Problem } from '../../../problem.ts';
import { actorOf } from '../frame/actor.ts';
import type { HandlersOf } from '../frame/endpoint.ts';

export const COMPANY_HANDLERS: HandlersOf<typeof COMPANY_ENDPOINTS> = {
  async createCompany({ ctx }, { body, visitor, origin }) {
    const { companyId, balance } = await foundCompany(ctx, actorOf(visitor, origin), {
      name: body.name.trim(),
      businessId: readBusinessId(body.business_id),
      language: body.language ?? 'ru',
      brand: readBrand(body.brand),
    });
    await enterCompany(ctx.db, visitor, companyId);
    return { success: true, id: companyId, balance };
  },

  async company({ ctx }, { companyId }) {
    const company = (await findCompany(ctx.db, companyId)) as StoredCompany;
    return {
      success: true,
      id: company.id,
      name: company.name,
      business_id: company.businessId,
      language: company.language,
      brand: company.brand,
      created_at: company.createdAt.toISOString(),
    };
  },

  async changeCompany({ ctx }, { body, companyId, visitor, origin }) {
    await changeCompany(ctx, actorOf(visitor, origin), {
      companyId,
      facts: {
        name: body.name.trim(),
        businessId: readBusinessId(body.business_id ?? undefined),
        language: body.language,
        brand: readBrand(body.brand ?? undefined),
      },
    });
    return { success: true };
  },
};

function readBusinessId(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (isBusinessId(text)) return text;
  throw new Problem('validation_error', {
    errors: { business_id: ['Такого БИН или ИИН не бывает: проверьте цифры'] },
  });
}

/** Nothing but spaces is no brand. */
export function readBrand(text: string | undefined): string | null {
  return text === undefined || text.trim() === '' ? null : text.trim();
}
