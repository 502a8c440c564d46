import { LINK_SOURCES } from '@zhiber/contract/cabinet/links.ts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type FiltersOf, oneOf, text } from '../app/filters.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { SelectField } from '../ui/controls/select-field.tsx';
import { useSettled } from '../ui/controls/settled.ts';
import { TextField } from '../ui/controls/text-field.tsx';
import { useShortcut } from '../ui/overlays/shortcuts.tsx';

const STATES = ['active', 'expired', 'disabled'] as const;
export const CLICK_RANGES = ['24h', '7d', '30d', 'all'] as const;
export type ClickRange = (typeof CLICK_RANGES)[number];
export const RANGE_DEFAULT: ClickRange = '30d';

export const LINK_FILTERS = {
  search: text,
  state: oneOf(STATES),
  source: oneOf(LINK_SOURCES),
  range: oneOf(CLICK_RANGES),
};
export type LinkFilterValues = FiltersOf<typeof LINK_FILTERS>;

type FiltersProps = {
  filters: LinkFilterValues;
  onChange: (changes: Partial<LinkFilterValues>, options?: { isTyping?: boolean }) => void;
};

export function LinkFilters({ filters, onChange }: FiltersProps) {
  const texts = useTexts().links;
  return (
    <search className="grid grid-cols-2 items-end gap-3 lg:grid-cols-[minmax(12rem,1fr)_repeat(3,minmax(9rem,auto))]">
      <Search filters={filters} onChange={onChange} />
      <SelectField
        name="state"
        label={texts.state}
        value={filters.state ?? ''}
        options={[
          { value: '', label: texts.anyState },
          ...STATES.map((value) => ({ value, label: texts.states[value] })),
        ]}
        onChoose={(state) => onChange({ state: state || undefined })}
      />
      <SelectField
        name="source"
        label={texts.source}
        value={filters.source ?? ''}
        options={[
          { value: '', label: texts.anySource },
          ...LINK_SOURCES.map((value) => ({ value, label: texts.sources[value] })),
        ]}
        onChoose={(source) => onChange({ source: source || undefined })}
      />
      <SelectField
        name="range"
        label={texts.range}
        value={filters.range ?? RANGE_DEFAULT}
        options={CLICK_RANGES.map((value) => ({ value, label: texts.ranges[value] }))}
        onChoose={(range) => onChange({ range: range === RANGE_DEFAULT ? undefined : range })}
      />
    </search>
  );
}

/** The address follows once the typing has stopped. */
function Search({ filters, onChange }: FiltersProps) {
  const texts = useTexts().links;
  const [typed, setTyped] = useState(filters.search ?? '');
  const settled = useSettled(typed);
  const field = useRef<HTMLDivElement>(null);
  const inAddress = filters.search ?? '';
  const told = useRef(inAddress);
  const tell = useEffectEvent((search: string) => {
    if (search === inAddress) return;
    told.current = search;
    onChange({ search }, { isTyping: true });
  });
  useEffect(() => tell(settled.trim()), [settled]);
  // "Reset filters" and the back button change the address, and the field follows. What comes from
  // the field itself must not come back to it, as more may have been typed since.
  useEffect(() => {
    if (inAddress !== told.current) setTyped(inAddress);
    told.current = inAddress;
  }, [inAddress]);
  useShortcut('/', texts.search, () => field.current?.querySelector('input')?.focus());
  return (
    <div ref={field}>
      <TextField
        name="search"
        type="search"
        label={texts.search}
        placeholder={texts.searchHint}
        maxLength={200}
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </div>
  );
}
