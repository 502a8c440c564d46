import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Chart } from '../../ui/chart/chart.tsx';
import type { DeskAnswer } from '../call.ts';

type Figures = DeskAnswer<'figures'>;

export function DayCharts({ days, total }: { days: Figures['days']; total: Figures['total'] }) {
  const texts = useAdminTexts().figures;
  const format = useFormat();
  const { day: labelTitle } = useTexts().lists;
  // Noon, so that the day is the same in every zone near Almaty.
  const labels = days.map(({ day }) => format.date(`${day}T07:00:00Z`));
  const summary = texts.byDaySummary(format.number(total.sends), format.number(total.delivered));
  const inTenge = (tiyn: number | null) => (tiyn === null ? null : Math.round(tiyn / 100));
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <Chart
        title={texts.byDay}
        summary={summary}
        kind="columns"
        labels={labels}
        labelTitle={labelTitle}
        series={[
          { label: texts.delivered, colour: 'ok', values: days.map((day) => day.delivered) },
          {
            label: texts.notDelivered,
            colour: 'calm',
            values: days.map((day) => day.sends - day.delivered),
          },
        ]}
        format={format.number}
      />
      <Chart
        title={texts.marginByDay}
        summary={summary}
        kind="lines"
        labels={labels}
        labelTitle={labelTitle}
        series={[
          { label: texts.revenue, colour: 'brand', values: days.map((day) => day.revenue) },
          // A line that has no point at all is only a word in the legend.
          ...(days.some((day) => day.margin_tiyn !== null)
            ? [
                {
                  label: texts.margin,
                  colour: 'ok' as const,
                  values: days.map((day) => inTenge(day.margin_tiyn)),
                },
              ]
            : []),
        ]}
        format={format.number}
      />
    </div>
  );
}
