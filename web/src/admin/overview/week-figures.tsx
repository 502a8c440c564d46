import { useQuery } from '@tanstack/react-query';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { Failure } from '../../ui/display/error-card.tsx';
import { SkeletonCard } from '../../ui/display/skeleton.tsx';
import { queryOf } from '../call.ts';
import { DeskLink } from '../desk-link.tsx';
import { DeskSection } from '../desk-section.tsx';
import { DayCharts } from '../figures/day-charts.tsx';

/** Sends and money of the last seven days; the section of figures has all of it. */
export function WeekFigures() {
  const { overview: texts, figures: words } = useAdminTexts();
  const { data, error, refetch } = useQuery(queryOf('figures', { query: { range: '7d' } }));
  return (
    <DeskSection
      title={texts.week}
      aside={<DeskLink to={['figures']}>{texts.allFigures}</DeskLink>}
    >
      {data === undefined && error !== null && <Failure error={error} onRetry={refetch} />}
      {data === undefined && error === null && <SkeletonCard lines={6} />}
      {data?.total.sends === 0 && <p className="text-table text-muted">{words.nothing}</p>}
      {data !== undefined && data.total.sends > 0 && (
        <DayCharts days={data.days} total={data.total} />
      )}
    </DeskSection>
  );
}
