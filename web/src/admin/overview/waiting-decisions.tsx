import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Incident } from '@zhiber/contract/admin/incidents.ts';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { type DeskAnswer, pagesOf, queryOf, rowsOf } from '../call.ts';
import { DeskLink } from '../desk-link.tsx';
import { DeskSection } from '../desk-section.tsx';
import type { SectionName } from '../section-address.ts';

type Waiting = {
  kind: 'orders' | 'refunds' | 'notices' | 'corrections' | 'work' | 'providers' | 'incidents';
  section: SectionName;
  count: number;
};

/** What needs a person now, each with the section where it is decided. */
export function WaitingDecisions({ counts }: { counts: DeskAnswer<'overview'> }) {
  const texts = useAdminTexts().overview;
  const format = useFormat();
  const rows = useWaiting(counts)?.filter(({ count }) => count > 0);
  const columns: Column<Waiting>[] = [
    {
      id: 'what',
      title: texts.what,
      cell: ({ kind, section }) => (
        <DeskLink to={[section]} className="link wrap-anywhere">
          {texts.waiting[kind]}
        </DeskLink>
      ),
    },
    {
      id: 'count',
      title: texts.count,
      isNumber: true,
      cell: ({ count }) => format.number(count),
    },
  ];
  return (
    <DeskSection title={texts.toDo}>
      <DataTable
        caption={texts.toDo}
        columns={columns}
        rows={rows}
        rowKey={({ kind }) => kind}
        empty={<p className="text-table text-muted">{texts.nothing}</p>}
      />
    </DeskSection>
  );
}

/** Undefined until every part has been read: half of the list would look like the whole. */
function useWaiting(counts: DeskAnswer<'overview'>): Waiting[] | undefined {
  const corrections = useQuery(queryOf('waitingCorrections')).data?.corrections;
  const work = useQuery(queryOf('jobs')).data?.work;
  const providers = useQuery(queryOf('channels')).data?.providers;
  const incidents = rowsOf<Incident>(useInfiniteQuery(pagesOf('incidents')).data);
  if (!corrections || !work || !providers || !incidents) return undefined;
  return [
    { kind: 'orders', section: 'payments', count: counts.orders_to_confirm },
    { kind: 'refunds', section: 'payments', count: counts.refunds_under_way },
    { kind: 'notices', section: 'payments', count: counts.unhandled_notices },
    { kind: 'corrections', section: 'companies', count: corrections.length },
    {
      kind: 'work',
      section: 'jobs',
      count: work.reduce((sum, { given_up: givenUp }) => sum + givenUp, 0),
    },
    { kind: 'providers', section: 'channels', count: providers.filter(isBroken).length },
    {
      kind: 'incidents',
      section: 'incidents',
      count: incidents.filter(({ state }) => state !== 'resolved').length,
    },
  ];
}

function isBroken({ nodes }: DeskAnswer<'channels'>['providers'][number]): boolean {
  return nodes.some(({ circuit, is_linked: isLinked }) => circuit === 'open' || isLinked === false);
}
