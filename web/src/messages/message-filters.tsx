import { CHANNEL_TITLES, CHANNELS } from '@zhiber/contract/api/channel.ts';
import { MESSAGE_STATES } from '@zhiber/contract/api/events.ts';
import { PURPOSE_LENGTH_MAX } from '@zhiber/contract/api/limits.ts';
import { MESSAGE_KINDS } from '@zhiber/contract/cabinet/message-words.ts';
import { type FiltersOf, oneOf, someOf, text, whole, yesNo } from '../app/filters.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { ChoiceBoxes, ChoiceDots, chosenText } from '../ui/filters/choice-boxes.tsx';
import type { Filter } from '../ui/filters/filter-bar.tsx';
import { chipsOf, type FilterChip } from '../ui/filters/filter-chips.tsx';
import { useKeyFilter } from '../ui/filters/key-filter.tsx';
import { RANGE_FILTERS, useRangeFilter, useTodayChip } from '../ui/filters/range-filter.tsx';
import { WordField } from '../ui/filters/word-field.tsx';
import { UNDELIVERED } from './view-search.ts';

/** The names in the URL are also those of the API call. */
export const FILTERS = {
  ...RANGE_FILTERS,
  search: text,
  state: someOf(MESSAGE_STATES),
  channel: someOf(CHANNELS),
  tried: someOf(CHANNELS),
  kind: someOf(MESSAGE_KINDS),
  key_id: whole,
  purpose: text,
  mode: oneOf(['test', 'live']),
  is_charged: yesNo,
};
export type Filters = FiltersOf<typeof FILTERS>;
type SetFilters = (changes: Partial<Filters>) => void;

type ManyName = 'state' | 'channel' | 'tried' | 'kind';
type WordOf<Name extends ManyName> = NonNullable<Filters[Name]>[number];

/** All filters of the list, in their displayed order. */
export function useMessageFilters(filters: Filters, setFilters: SetFilters): Filter[] {
  const texts = useTexts();
  const { kinds } = texts.messages;
  const range = useRangeFilter(filters, setFilters);
  const key = useKeyFilter(filters.key_id, (key_id) => setFilters({ key_id }));
  const many = useManyFilter(filters, setFilters);
  return [
    range,
    many('state', texts.ui.states),
    many('channel', CHANNEL_TITLES),
    many('tried', CHANNEL_TITLES),
    many('kind', {
      otp: kinds.otp,
      link: kinds.link,
      group: kinds.group,
      broadcast: kinds.broadcast,
    }),
    ...(key === undefined ? [] : [key]),
    usePurposeFilter(filters, setFilters),
    useModeFilter(filters, setFilters),
    useChargeFilter(filters, setFilters),
  ];
}

/** A multiple-choice filter. */
function useManyFilter(filters: Filters, setFilters: SetFilters) {
  const { filterNames } = useTexts().messages;
  return <Name extends ManyName>(name: Name, words: Record<WordOf<Name>, string>): Filter => {
    const chosen = filters[name] as WordOf<Name>[] | undefined;
    return {
      id: name,
      label: filterNames[name],
      chosen: chosenText(words, chosen),
      clear: () => setFilters({ [name]: undefined }),
      content: (
        <ChoiceBoxes
          words={words}
          chosen={chosen}
          onChoose={(some) => setFilters({ [name]: some })}
        />
      ),
    };
  };
}

function usePurposeFilter({ purpose }: Filters, setFilters: SetFilters): Filter {
  const { filterNames, purposeHint } = useTexts().messages;
  return {
    id: 'purpose',
    label: filterNames.purpose,
    chosen: purpose,
    clear: () => setFilters({ purpose: undefined }),
    content: (
      <WordField
        label={filterNames.purpose}
        hint={purposeHint}
        maxLength={PURPOSE_LENGTH_MAX}
        value={purpose}
        onApply={(word) => setFilters({ purpose: word })}
      />
    ),
  };
}

function useModeFilter({ mode }: Filters, setFilters: SetFilters): Filter {
  const { filterNames } = useTexts().messages;
  const { modes } = useTexts().ui;
  return {
    id: 'mode',
    label: filterNames.mode,
    chosen: chosenText(modes, mode),
    clear: () => setFilters({ mode: undefined }),
    content: (
      <ChoiceDots words={modes} chosen={mode} onChoose={(word) => setFilters({ mode: word })} />
    ),
  };
}

function useChargeFilter({ is_charged: isCharged }: Filters, setFilters: SetFilters): Filter {
  const { filterNames, charges } = useTexts().messages;
  const chosen = isCharged === undefined ? undefined : isCharged ? 'charged' : 'free';
  return {
    id: 'is_charged',
    label: filterNames.is_charged,
    chosen: chosenText(charges, chosen),
    clear: () => setFilters({ is_charged: undefined }),
    content: (
      <ChoiceDots
        words={charges}
        chosen={chosen}
        onChoose={(word) => setFilters({ is_charged: word && word === 'charged' })}
      />
    ),
  };
}

/** The filters that people of support use daily, as chips above the list. */
export function useMessageChips(filters: Filters, setFilters: SetFilters): FilterChip[] {
  const { chips } = useTexts().messages;
  const { state, mode } = filters;
  const isUndelivered =
    state?.length === UNDELIVERED.length && UNDELIVERED.every((one) => state.includes(one));
  return [
    {
      id: 'undelivered',
      label: chips.undelivered,
      isOn: isUndelivered,
      onToggle: () => setFilters({ state: isUndelivered ? undefined : [...UNDELIVERED] }),
    },
    useTodayChip(filters, setFilters),
    ...chipsOf({ live: chips.live }, mode, (live) => setFilters({ mode: live })),
  ];
}
