import { useQuery } from '@tanstack/react-query';
import { FIGURE_RANGES } from '@zhiber/contract/admin/figures.ts';
import { oneOf, useFilters } from '../app/filters.ts';
import { useAdminTexts } from '../texts/use-admin-texts.ts';
import { optionsOf, Segments } from '../ui/controls/segments.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { Time } from '../ui/display/time.tsx';
import { type DeskAnswer, queryOf } from './call.ts';
import { DeskLink } from './desk-link.tsx';
import { DayCharts } from './figures/day-charts.tsx';
import { FigureTotals } from './figures/figure-totals.tsx';
import { ProviderCosts } from './figures/provider-costs.tsx';
import { SumTable } from './figures/sum-table.tsx';

type Figures = DeskAnswer<'figures'>;

const FILTERS = { range: oneOf(FIGURE_RANGES) };

/** Sends, deliveries and money of the whole service. */
export function FiguresPage() {
  const { frame, figures: texts } = useAdminTexts();
  const { filters, setFilters } = useFilters(FILTERS);
  const range = filters.range ?? '30d';
  const figures = useQuery(queryOf('figures', { query: { range } }));
  return (
    <Page
      title={frame.sections.figures}
      lead={texts.lead}
      actions={
        <Segments
          label={texts.range}
          isLabelHidden
          options={optionsOf(texts.ranges)}
          value={range}
          onChoose={(chosen) => setFilters({ range: chosen })}
        />
      }
    >
      {figures.data === undefined && figures.error !== null && (
        <Failure error={figures.error} onRetry={figures.refetch} />
      )}
      {figures.isPending && <SkeletonCard lines={6} />}
      {figures.data !== undefined && <AllFigures figures={figures.data} />}
      <ProviderCosts />
    </Page>
  );
}

function AllFigures({ figures }: { figures: Figures }) {
  const texts = useAdminTexts().figures;
  return (
    <>
      <CountedNote figures={figures} />
      <FigureTotals total={figures.total} />
      {figures.total.sends === 0 ? (
        <p className="text-muted">{texts.nothing}</p>
      ) : (
        <>
          <DayCharts days={figures.days} total={figures.total} />
          <SumTable
            title={texts.byItem}
            nameTitle={texts.item}
            rows={figures.items
              .filter(({ sends }) => sends > 0)
              .map((row) => ({ ...row, name: texts.items[row.item] }))}
          />
          <SumTable
            title={texts.byProvider}
            nameTitle={texts.provider}
            rows={figures.providers.map((row) => ({
              ...row,
              name: `${row.provider || texts.noProvider}, ${texts.items[row.item]}`,
            }))}
          />
          <SumTable
            title={texts.byOperator}
            lead={texts.byOperatorLead}
            nameTitle={texts.operator}
            rows={figures.operators.map((row) => ({
              ...row,
              name: row.name ?? row.prefixes.map((prefix) => `+${prefix}…`).join(', '),
            }))}
          />
        </>
      )}
    </>
  );
}

function CountedNote({ figures }: { figures: Figures }) {
  const texts = useAdminTexts().figures;
  const { counted_at: countedAt, days_to_count: missing } = figures;
  return (
    <p className="text-sm text-muted">
      {countedAt === null ? (
        texts.notCounted
      ) : (
        <>
          {texts.countedAt}: <Time at={countedAt} as="timeToMinute" />.{' '}
          {missing > 0 && texts.daysToCount(missing)}
        </>
      )}{' '}
      <DeskLink to={['jobs']}>{texts.toJobs}</DeskLink>
    </p>
  );
}
