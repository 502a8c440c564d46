import { useFilters } from '../app/filters.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Segments } from '../ui/controls/segments.tsx';
import { CLICK_RANGES, type ClickRange, RANGE_DEFAULT, RANGE_FILTER } from './link-filters.tsx';

/** The period whose clicks are counted, from the URL. */
export function useClickRange(): ClickRange {
  return useFilters(RANGE_FILTER).filters.range ?? RANGE_DEFAULT;
}

export function RangeChoice() {
  const texts = useTexts().links;
  const { setFilters } = useFilters(RANGE_FILTER);
  return (
    <Segments
      label={texts.range}
      isLabelHidden
      options={CLICK_RANGES.map((value) => ({ value, label: texts.ranges[value] }))}
      value={useClickRange()}
      onChoose={(range) =>
        setFilters({ range: range === RANGE_DEFAULT ? undefined : range }, { isTyping: true })
      }
    />
  );
}
