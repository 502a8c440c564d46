import { BROADCAST_ROW_ENDPOINTS as B } from '@zhiber/contract/cabinet/broadcast-rows.ts';
import type { RowVerdict } from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import { type CompanyId, newId } from '../../src/ids.ts';
import { createCabinetClient } from '../cabinet/cabinet-client.ts';
import type { useService } from '../harness.ts';

export const NO_VERDICTS: Record<RowVerdict, number> = {
  send: 0,
  duplicate: 0,
  invalid: 0,
  cannot_receive: 0,
  other_country: 0,
  unsubscribed: 0,
  no_consent: 0,
};

export type StoredTestRow = {
  number: number;
  cells: string[];
  phone: number | null;
  verdict: RowVerdict | null;
  reason: string | null;
};

/** Drafts of broadcasts, and calls for their rows as the pages make them. */
export function createRowsRig(service: ReturnType<typeof useService>) {
  const cabinet = createCabinetClient(service);
  const { person, as } = cabinet;

  async function createDraft(companyId: CompanyId, name = 'Скидки'): Promise<string> {
    const id = newId(Date.now());
    await service.sql('insert into broadcast (id, company_id, name) values ($1, $2, $3)', [
      id,
      companyId,
      name,
    ]);
    return id;
  }

  /** A member of a company with a draft and its calls. */
  async function openDraft(given: { companyId?: CompanyId; role?: Role; id?: string } = {}) {
    const { role = 'marketer' } = given;
    const who = await person({ role, ...(given.companyId && { companyId: given.companyId }) });
    const companyId = who.companyId as CompanyId;
    const id = given.id ?? (await createDraft(companyId));
    const { call } = as(who);
    return {
      id,
      companyId,
      personId: who.personId,
      cookie: who.cookie,
      call,
      upload: (
        file: Buffer | string,
        query: { name?: string; source?: 'file' | 'text' } = {},
        headers: Record<string, string> = {},
      ) =>
        call(B.uploadRows, {
          params: { id },
          query: { name: 'clients.csv', source: 'file', ...query },
          file: typeof file === 'string' ? Buffer.from(file) : file,
          headers,
        }),
      chooseColumns: (phone: number, consent: number | null, names: string[]) =>
        call(B.chooseColumns, { params: { id }, body: { phone, consent, names } }),
      useList: (list_id: number, tags?: string[]) =>
        call(B.useList, { params: { id }, body: { list_id, ...(tags && { tags }) } }),
      fix: (number: number, phone: string) =>
        call(B.fixRow, { params: { id, number }, body: { phone } }),
      rows: (query: { verdict?: RowVerdict; cursor?: string } = {}) =>
        call(B.rows, { params: { id }, query }),
      download: (query: { verdict?: RowVerdict; lang?: 'ru' | 'kk' | 'en' } = {}) =>
        call(B.downloadRows, { params: { id }, query }),
    };
  }

  return {
    ...cabinet,
    createDraft,
    openDraft,
    storedRows: (broadcastId: string) =>
      service.sql<StoredTestRow>(
        `select number, cells, phone, verdict, reason from broadcast_row where broadcast_id = $1 order by number`,
        [broadcastId],
      ),
    /** Verdicts and reasons in the order of the file, as a short text each. */
    async verdictsOf(broadcastId: string): Promise<string[]> {
      const rows = await service.sql<StoredTestRow>(
        'select number, verdict, reason from broadcast_row where broadcast_id = $1 order by number',
        [broadcastId],
      );
      return rows.map(({ number, verdict, reason }) =>
        [number, verdict, reason].filter((part) => part !== null).join(' '),
      );
    },
  };
}
