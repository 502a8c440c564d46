import type { FigureSums } from '@zhiber/contract/admin/figures.ts';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { DeskSection } from '../desk-section.tsx';

type SumRow = FigureSums & { name: string; codes?: number; verified?: number };

export function SumTable(props: {
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
    <DeskSection title={title} lead={lead}>
      <DataTable
        caption={title}
        columns={columns}
        rows={rows}
        rowKey={({ name }) => name}
        empty={null}
      />
    </DeskSection>
  );
}

/** An unknown amount is said to be so: it is not nothing. */
export function Tiyn({ value }: { value: number | null }) {
  const texts = useAdminTexts().figures;
  const format = useFormat();
  return value === null ? (
    <span className="text-muted">{texts.unknown}</span>
  ) : (
    <span className={value < 0 ? 'text-bad' : undefined}>{format.moneyOfTiyn(value)}</span>
  );
}
