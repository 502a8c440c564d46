import { useQuery } from '@tanstack/react-query';
import {
  FIGURE_ITEMS,
  FIGURE_RANGES,
  type FigureSums,
  type ProviderCost,
} from '@zhiber/contract/admin/figures.ts';
import { useState } from 'react';
import { oneOf, useFilters } from '../app/filters.ts';
import { useAdminTexts } from '../texts/use-admin-texts.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Chart } from '../ui/chart/chart.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions, type FormValues } from '../ui/controls/form.tsx';
import { optionsOf, Segments } from '../ui/controls/segments.tsx';
import { SelectField } from '../ui/controls/select-field.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { Stat } from '../ui/display/card.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { Time } from '../ui/display/time.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { type Column, DataTable } from '../ui/table/data-table.tsx';
import { type DeskAnswer, queryOf, useAction } from './call.ts';
import { DeskLink } from './desk-link.tsx';
import { readTiyn } from './tiyn.ts';

const FILTERS = { range: oneOf(FIGURE_RANGES) };
type Figures = DeskAnswer<'figures'>;
type Costs = DeskAnswer<'providerCosts'>;

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
      <CostSection />
    </Page>
  );
}

function AllFigures({ figures }: { figures: Figures }) {
  const texts = useAdminTexts().figures;
  return (
    <>
      <CountedNote figures={figures} />
      <Totals total={figures.total} />
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

function Totals({ total }: { total: Figures['total'] }) {
  const texts = useAdminTexts().figures;
  const format = useFormat();
  const share = (part: number, whole: number) => (whole === 0 ? '—' : format.percent(part / whole));
  const { margin_tiyn: margin, revenue } = total;
  return (
    <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-5">
      <Stat label={texts.sends} value={format.number(total.sends)} />
      <Stat label={texts.delivered} value={share(total.delivered, total.sends)} />
      <Stat
        label={texts.verified}
        value={share(total.verified, total.codes)}
        note={texts.verifiedOf(format.number(total.verified), format.number(total.codes))}
      />
      <Stat label={texts.revenue} value={format.money(revenue)} />
      <Stat
        label={texts.margin}
        value={<Tiyn value={margin} />}
        note={
          margin === null
            ? texts.unknownWhy
            : revenue > 0 && texts.shareOfRevenue(format.percent(margin / 100 / revenue))
        }
      />
    </div>
  );
}

/** An unknown amount is said to be so: it is not nothing. */
function Tiyn({ value }: { value: number | null }) {
  const texts = useAdminTexts().figures;
  const format = useFormat();
  return value === null ? (
    <span className="text-muted">{texts.unknown}</span>
  ) : (
    <span className={value < 0 ? 'text-bad' : undefined}>{format.moneyOfTiyn(value)}</span>
  );
}

function DayCharts({ days, total }: { days: Figures['days']; total: Figures['total'] }) {
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
          {
            label: texts.margin,
            colour: 'ok',
            values: days.map((day) => inTenge(day.margin_tiyn)),
          },
        ]}
        format={format.number}
      />
    </div>
  );
}

type SumRow = FigureSums & { name: string; codes?: number; verified?: number };

function SumTable(props: {
  title: string;
  lead?: string;
  nameTitle: string;
  rows: readonly SumRow[];
}) {
  const { title, lead, nameTitle, rows } = props;
  const texts = useAdminTexts().figures;
  const format = useFormat();
  const share = (part: number, whole: number) => (whole === 0 ? '—' : format.percent(part / whole));
  const hasCodes = rows.some(({ codes }) => codes !== undefined);
  const columns: Column<SumRow>[] = [
    { id: 'name', title: nameTitle, cell: ({ name }) => name },
    {
      id: 'sends',
      title: texts.sends,
      cell: ({ sends }) => format.number(sends),
      isNumber: true,
    },
    {
      id: 'delivered',
      title: texts.delivered,
      cell: ({ delivered, sends }) => share(delivered, sends),
      isNumber: true,
    },
    ...(hasCodes
      ? [
          {
            id: 'verified',
            title: texts.verified,
            cell: ({ verified = 0, codes = 0 }: SumRow) => share(verified, codes),
            isNumber: true,
          },
        ]
      : []),
    {
      id: 'revenue',
      title: texts.revenue,
      cell: ({ revenue }) => format.money(revenue),
      isNumber: true,
    },
    {
      id: 'cost',
      title: texts.cost,
      cell: ({ cost_tiyn: cost }) => <Tiyn value={cost} />,
      isNumber: true,
    },
    {
      id: 'margin',
      title: texts.margin,
      cell: ({ margin_tiyn: margin }) => <Tiyn value={margin} />,
      isNumber: true,
    },
  ];
  return (
    <section className="grid min-w-0 gap-2">
      <h2 className="text-lg">{title}</h2>
      {lead !== undefined && <p className="text-sm text-muted">{lead}</p>}
      <DataTable
        caption={title}
        columns={columns}
        rows={rows}
        rowKey={({ name }) => name}
        empty={null}
      />
    </section>
  );
}

function CostSection() {
  const texts = useAdminTexts().figures;
  const format = useFormat();
  const [isSetting, setSetting] = useState(false);
  const costs = useQuery(queryOf('providerCosts'));
  const columns: Column<ProviderCost>[] = [
    { id: 'provider', title: texts.provider, cell: ({ provider }) => provider },
    { id: 'item', title: texts.what, cell: ({ item }) => texts.items[item] },
    {
      id: 'from',
      title: texts.validFrom,
      cell: ({ valid_from: day }) => format.date(`${day}T07:00:00Z`),
    },
    {
      id: 'cost',
      title: texts.costTenge,
      cell: ({ cost_tiyn: cost }) => format.moneyOfTiyn(cost),
      isNumber: true,
    },
    { id: 'by', title: texts.setBy, cell: ({ set_by: by }) => by ?? '—' },
  ];
  return (
    <section className="grid min-w-0 gap-2">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg">{texts.costs}</h2>
        {costs.data !== undefined && (
          <Button onClick={() => setSetting(true)}>{texts.setCost}</Button>
        )}
      </div>
      <p className="text-sm text-muted">{texts.costsLead}</p>
      {costs.error !== null ? (
        <Failure error={costs.error} onRetry={costs.refetch} />
      ) : (
        <DataTable
          caption={texts.costs}
          columns={columns}
          rows={costs.data?.costs}
          rowKey={({ provider, item, valid_from: day }) => `${provider} ${item} ${day}`}
          empty={<p className="text-table text-muted">{texts.noCosts}</p>}
        />
      )}
      {isSetting && costs.data !== undefined && (
        <CostDialog providers={costs.data.providers} onClose={() => setSetting(false)} />
      )}
    </section>
  );
}

function CostDialog(props: { providers: Costs['providers']; onClose: () => void }) {
  const { providers, onClose } = props;
  const texts = useAdminTexts().figures;
  const set = useAction('setProviderCost', { invalidates: ['providerCosts', 'figures'] });
  const [provider, setProvider] = useState(providers[0]?.name ?? '');
  const [isMistyped, setMistyped] = useState(false);
  const items = providers.find(({ name }) => name === provider)?.items ?? [];
  const submit = (values: FormValues) => {
    const cost = readTiyn(values.text('cost_tiyn'));
    setMistyped(cost === undefined);
    if (cost === undefined) return;
    const item = FIGURE_ITEMS.find((one) => one === values.text('item')) ?? 'sms';
    const body = { provider, item, valid_from: values.text('valid_from'), cost_tiyn: cost };
    set.mutate({ body }, { onSuccess: onClose });
  };
  return (
    <Dialog title={texts.setCost} onClose={onClose}>
      <Form error={set.error} onSubmit={submit}>
        <SelectField
          name="provider"
          label={texts.provider}
          options={providers.map(({ name }) => ({ value: name, label: name }))}
          value={provider}
          onChoose={setProvider}
        />
        <SelectField
          name="item"
          label={texts.what}
          options={items.map((value) => ({ value, label: texts.items[value] }))}
        />
        <TextField name="valid_from" type="date" label={texts.validFrom} required />
        <TextField
          name="cost_tiyn"
          label={texts.costTenge}
          hint={texts.costHint}
          error={isMistyped ? texts.costFormat : undefined}
          inputMode="decimal"
          required
          autoComplete="off"
        />
        <FormActions>
          <Button type="submit" look="primary" isBusy={set.isPending}>
            {texts.setCost}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}
