import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Answer } from '../../call.ts';
import { useBroadcastTexts } from '../../texts/use-broadcast-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';

type Check = Answer<'checkText'>;

/** How the text comes out over all rows: its parts, and what is missing. */
export function TextFindings({ check }: { check: Check }) {
  const texts = useBroadcastTexts();
  const format = useFormat();
  const { parts_min: min, parts_max: max } = check;
  return (
    <div role="status" className="grid gap-1.5 text-table">
      {min !== null && max !== null && (
        <p>
          {min === max ? texts.partsSame(max) : texts.partsRange(min, max)}{' '}
          <span className="text-muted">{texts.partsHint}</span>
        </p>
      )}
      {check.unknown_variables.length > 0 && (
        <Finding tone="bad">
          {texts.unknownVariables(check.unknown_variables.map((name) => `{{${name}}}`).join(', '))}
        </Finding>
      )}
      {check.empty_cells.map(({ column, rows }) => (
        <Finding key={column} tone="warn">
          {texts.emptyCells(column, rows, format.number)}
        </Finding>
      ))}
      {check.too_long > 0 && (
        <Finding tone="bad">
          {texts.tooLong(check.too_long, format.number)}
          {check.too_long_row !== null && ` ${texts.tooLongRow(format.number(check.too_long_row))}`}
        </Finding>
      )}
    </div>
  );
}

function Finding({ tone, children }: { tone: 'bad' | 'warn'; children: ReactNode }) {
  return (
    <p className={tone === 'bad' ? 'flex gap-1.5 text-bad' : 'flex gap-1.5 text-warn'}>
      <CircleAlert aria-hidden="true" size={16} className="mt-0.5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  );
}
