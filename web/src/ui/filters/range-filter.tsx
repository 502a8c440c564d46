import { RANGES } from '@zhiber/contract/cabinet/message-words.ts';
import { oneOf, text } from '../../app/filters.ts';
import { fromAlmatyInput, toAlmatyInput } from '../../design/format/almaty-input.ts';
import type { Format } from '../../design/format/format.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../controls/button.tsx';
import { Form } from '../controls/form.tsx';
import { TextField } from '../controls/text-field.tsx';
import { ChoiceDots } from './choice-boxes.tsx';
import type { Filter } from './filter-bar.tsx';
import type { FilterChip } from './filter-chips.tsx';

/** A named range, or a custom one; the URL parameters of every list. */
export const RANGE_FILTERS = { range: oneOf(RANGES), from: text, to: text };

export type Range = {
  range?: (typeof RANGES)[number] | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

export function useRangeFilter(range: Range, setRange: (range: Range) => void): Filter {
  const texts = useTexts().lists;
  const format = useFormat();
  return {
    id: 'range',
    label: texts.range,
    chosen: rangeText(range, texts, format),
    clear: () => setRange({ range: undefined, from: undefined, to: undefined }),
    content: (
      <div className="grid gap-3">
        <ChoiceDots
          words={texts.ranges}
          allText={texts.allTime}
          chosen={isCustom(range) ? undefined : range.range}
          onChoose={(name) => setRange({ range: name, from: undefined, to: undefined })}
        />
        <OwnRange range={range} setRange={setRange} />
      </div>
    ),
  };
}

export function useTodayChip(range: Range, setRange: (range: Range) => void): FilterChip {
  const { ranges } = useTexts().lists;
  const isOn = range.range === 'today' && !isCustom(range);
  return {
    id: 'today',
    label: ranges.today,
    isOn,
    onToggle: () => setRange({ range: isOn ? undefined : 'today', from: undefined, to: undefined }),
  };
}

function OwnRange({ range, setRange }: { range: Range; setRange: (range: Range) => void }) {
  const texts = useTexts().lists;
  const toInput = (at: string | undefined) =>
    at === undefined || Number.isNaN(Date.parse(at)) ? '' : toAlmatyInput(at);
  return (
    <Form
      // Remounts the fields when the range in the URL changes.
      key={`${range.from} ${range.to}`}
      className="gap-2.5 border-t border-hairline pt-3"
      onSubmit={(values) =>
        setRange({
          range: undefined,
          from: fromAlmatyInput(values.text('from')),
          to: fromAlmatyInput(values.text('to')),
        })
      }
    >
      <p className="text-table font-medium">{texts.ownRange}</p>
      <TextField
        name="from"
        type="datetime-local"
        label={texts.from}
        defaultValue={toInput(range.from)}
      />
      <TextField
        name="to"
        type="datetime-local"
        label={texts.to}
        defaultValue={toInput(range.to)}
      />
      <Button type="submit">{texts.apply}</Button>
    </Form>
  );
}

function isCustom({ from, to }: Range): boolean {
  return from !== undefined || to !== undefined;
}

function rangeText(
  range: Range,
  texts: ReturnType<typeof useTexts>['lists'],
  format: Format,
): string | undefined {
  const formatTime = (at: string | undefined) =>
    at === undefined || Number.isNaN(Date.parse(at)) ? undefined : format.timeToMinute(at);
  const from = formatTime(range.from);
  const to = formatTime(range.to);
  if (from !== undefined && to !== undefined) return `${from} – ${to}`;
  if (from !== undefined) return texts.since(from);
  if (to !== undefined) return texts.until(to);
  return range.range === undefined ? undefined : texts.ranges[range.range];
}
