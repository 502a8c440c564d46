import type { CompanyId } from '../../src/ids.ts';
import type { ClickRange } from '../../src/links/clicks/click-range.ts';
import { createLink } from '../../src/links/create-link.ts';
import { type ListLinksRequest, listLinks } from '../../src/links/list-links.ts';
import { readLink } from '../../src/links/read-link.ts';
import { Problem } from '../../src/problem.ts';
import type { useService } from '../harness.ts';

export const ACTOR = {
  origin: { requestId: 'req_links', address: '192.0.2.1', device: 'Firefox' },
};
export const TARGET = 'https://example.kz/';

export const refusedWith = (code: string) => (error: unknown) =>
  error instanceof Problem && error.code === code;

/** Links of a company, made and read as the cabinet does. */
export function linksOf(service: ReturnType<typeof useService>) {
  const list = (companyId: CompanyId, more: Partial<ListLinksRequest> = {}) =>
    listLinks(service.ctx, { companyId, range: '30d', ...more });
  return {
    list,
    names: async (companyId: CompanyId, more: Partial<ListLinksRequest> = {}) =>
      (await list(companyId, more)).links.map((link) => link.slug),
    create: (companyId: CompanyId, alias?: string, more: object = {}) =>
      createLink(service.ctx, ACTOR, { companyId, url: TARGET, alias, ...more }),
    read: (companyId: CompanyId, slug: string, range: ClickRange = '30d') =>
      readLink(service.ctx, { companyId, slug, range }),
    /** Clicks that came so long ago, as the server would have written them. */
    async clicked(
      companyId: CompanyId,
      slug: string,
      { ago, count = 1, isRobot = false }: { ago: string; count?: number; isRobot?: boolean },
    ): Promise<void> {
      await service.sql(
        `insert into click (folded, company_id, at, is_robot)
         select lower($2), $1, clock_timestamp() - $3::interval + n * interval '1 microsecond', $5
         from generate_series(1, $4) n`,
        [companyId, slug, ago, count, isRobot],
      );
    },
  };
}
