import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Stat, Stats } from '../../ui/display/card.tsx';
import type { DeskAnswer } from '../call.ts';
import { Tiyn } from './sum-table.tsx';

type Figures = DeskAnswer<'figures'>;

export function FigureTotals({ total }: { total: Figures['total'] }) {
  const texts = useAdminTexts().figures;
  const format = useFormat();
  const share = (part: number, whole: number) => (whole === 0 ? '—' : format.percent(part / whole));
  const { margin_tiyn: margin, revenue } = total;
  return (
    <Stats columns={5}>
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
    </Stats>
  );
}
