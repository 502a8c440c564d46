import type { CompanyId } from '../../src/ids.ts';
import { changeLink } from '../../src/links/change-link.ts';
import type { ClickRange } from '../../src/links/count-clicks.ts';
import { type ListLinksRequest, listLinks, readLink } from '../../src/links/list-links.ts';
import { createLink } from '../../src/links/shorten-link.ts';
import { Problem } from '../../src/problem.ts';
import type { useService } from '../harness.ts';

export const ACTOR = {
  origin: { requestId: 'req_links', address: '192.0.2.1', device: 'Firefox' },
};
export const TARGET = 'https://example.kz/';

export const isProblem = (code: string) => (error: unknown) =>
  error instanceof Problem && error.code === code;

/** Creates and reads links of a company in the way the cabinet does. */
export function createLinkFixtures(service: ReturnType<typeof useService>) {
  const list = (companyId: CompanyId, more: Partial<ListLinksRequest> = {}) =>
    listLinks(service.ctx, { companyId, range: '30d', ...more });
  return {
    list,
    listSlugs: async (companyId: CompanyId, more: Partial<ListLinksRequest> = {}) =>
      (await list(companyId, more)).links.map((link) => link.slug),
    create: (companyId: CompanyId, alias?: string, more: object = {}) =>
      createLink(service.ctx, ACTOR, { companyId, url: TARGET, alias, ...more }),
    change: (
      companyId: CompanyId,
      slug: string,
      change: { url: string; urlBefore?: string; expiresInSeconds?: number | null },
    ) => changeLink(service.ctx, ACTOR, { companyId, slug, urlBefore: TARGET, ...change }),
    read: (companyId: CompanyId, slug: string, range: ClickRange = '30d') =>
      readLink(service.ctx, { companyId, slug, range }),
    /** Inserts past clicks in the form in which the server records them. */
    async insertClicks(
      companyId: CompanyId,
      slug: string,
      { ago, count = 1, isRobot = false }: { ago: string; count?: number; isRobot?: boolean },
    ): Promise<void> {
      await service.sql(
        `insert into click (slug_key, company_id, at, is_robot)
         select lower($2), $1, clock_timestamp() - $3::interval + n * interval '1 microsecond', $5
         from generate_series(1, $4) n`,
        [companyId, slug, ago, count, isRobot],
      );
    },
  };
}
