import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Incident } from '@zhiber/contract/admin/incidents.ts';
import { ChevronRight, CircleCheck } from 'lucide-react';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { classes } from '../../ui/classes.ts';
import { Failure } from '../../ui/display/error-card.tsx';
import { SkeletonCard } from '../../ui/display/skeleton.tsx';
import { type DeskAnswer, pagesOf, queryOf, rowsOf } from '../call.ts';
import { DeskLink } from '../desk-link.tsx';
import { DeskSection } from '../desk-section.tsx';
import type { SectionName } from '../section-address.ts';

type Waiting = {
  kind: 'orders' | 'refunds' | 'notices' | 'corrections' | 'work' | 'providers' | 'incidents';
  section: SectionName;
  count: number;
};

/** What customers feel already; the rest is money that waits. */
const URGENT: readonly Waiting['kind'][] = ['providers', 'incidents', 'work'];

/** What needs a person now, each with the section where it is decided. */
export function WaitingDecisions({ counts }: { counts: DeskAnswer<'overview'> }) {
  const texts = useAdminTexts().overview;
  const { waiting, error, refetch } = useWaiting(counts);
  const shown = waiting?.filter(({ count }) => count > 0);
  return (
    <DeskSection title={texts.toDo}>
      {shown === undefined &&
        (error === null ? <SkeletonCard /> : <Failure error={error} onRetry={refetch} />)}
      {shown?.length === 0 && (
        <p className="flex items-center gap-2 rounded-card bg-ok-tint px-4 py-3 text-table text-ok">
          <CircleCheck aria-hidden="true" size={18} className="shrink-0" />
          {texts.nothing}
        </p>
      )}
      {shown !== undefined && shown.length > 0 && (
        <ul className="grid gap-2 lg:grid-cols-2">
          {shown.map((one) => (
            <WaitingItem key={one.kind} {...one} />
          ))}
        </ul>
      )}
    </DeskSection>
  );
}

function WaitingItem({ kind, section, count }: Waiting) {
  const texts = useAdminTexts().overview;
  const format = useFormat();
  return (
    <li>
      <DeskLink
        to={[section]}
        className="flex min-h-13 items-center gap-3 rounded-card border border-hairline bg-surface px-3 py-2 text-table hover:bg-sunken"
      >
        <span
          className={classes(
            'min-w-9 rounded-control px-2 py-1 text-center font-semibold',
            URGENT.includes(kind) ? 'bg-bad-tint text-bad' : 'bg-warn-tint text-warn',
          )}
        >
          {format.number(count)}
        </span>
        <span className="grow">{texts.waiting[kind]}</span>
        <ChevronRight aria-hidden="true" size={16} className="shrink-0 text-faint" />
      </DeskLink>
    </li>
  );
}

/** Undefined until every part has been read: half of the list would look like the whole. */
function useWaiting(counts: DeskAnswer<'overview'>) {
  const corrections = useQuery(queryOf('waitingCorrections'));
  const jobs = useQuery(queryOf('jobs'));
  const channels = useQuery(queryOf('channels'));
  const list = useInfiniteQuery(pagesOf('incidents'));
  const incidents = rowsOf<Incident>(list.data);
  const parts = [corrections, jobs, channels, list];
  const refetch = () => Promise.all(parts.map((part) => part.refetch()));
  const error = parts.find((part) => part.error !== null)?.error ?? null;
  if (!corrections.data || !jobs.data || !channels.data || !incidents) {
    return { waiting: undefined, error, refetch };
  }
  const waiting: Waiting[] = [
    {
      kind: 'providers',
      section: 'channels',
      count: channels.data.providers.filter(isBroken).length,
    },
    {
      kind: 'incidents',
      section: 'incidents',
      count: incidents.filter(({ state }) => state !== 'resolved').length,
    },
    {
      kind: 'work',
      section: 'jobs',
      count: jobs.data.work.reduce((sum, { given_up: givenUp }) => sum + givenUp, 0),
    },
    { kind: 'orders', section: 'payments', count: counts.orders_to_confirm },
    { kind: 'refunds', section: 'payments', count: counts.refunds_under_way },
    { kind: 'notices', section: 'payments', count: counts.unhandled_notices },
    { kind: 'corrections', section: 'companies', count: corrections.data.corrections.length },
  ];
  return { waiting, error: null, refetch };
}

function isBroken({ nodes }: DeskAnswer<'channels'>['providers'][number]): boolean {
  return nodes.some(({ circuit, is_up: isUp }) => circuit === 'open' || isUp === false);
}
