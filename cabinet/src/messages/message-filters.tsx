import { CHANNEL_TITLES, CHANNELS } from '@zhiber/contract/api/channel.ts';
import { MESSAGE_STATES } from '@zhiber/contract/api/events.ts';
import { PURPOSE_LENGTH_MAX } from '@zhiber/contract/api/limits.ts';
import { MESSAGE_KINDS } from '@zhiber/contract/cabinet/message-words.ts';
import { type FiltersOf, oneOf, someOf, text, whole, yesNo } from '../app/filters.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { ChoiceBoxes, ChoiceDots, chosenText } from '../ui/filters/choice-boxes.tsx';
import type { Filter } from '../ui/filters/filter-bar.tsx';
import { useKeyFilter } from '../ui/filters/key-filter.tsx';
import { RANGE_FILTERS, useRangeFilter } from '../ui/filters/range-filter.tsx';
import { WordField } from '../ui/filters/word-field.tsx';

/** The words of the address, which are those of the call as well. */
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

/** Everything the list can be narrowed by, in the order of use. */
export function useMessageFilters(filters: Filters, setFilters: SetFilters): Filter[] {
  const texts = useTexts();
  const { filterNames: names, kinds, charges } = texts.messages;
  const range = useRangeFilter(filters, setFilters);
  const key = useKeyFilter(filters.key_id, (key_id) => setFilters({ key_id }));
  const many = <Name extends ManyName>(
    name: Name,
    words: Record<WordOf<Name>, string>,
  ): Filter => ({
    id: name,
    label: names[name],
    chosen: chosenText(words, filters[name] as WordOf<Name>[] | undefined),
    clear: () => setFilters({ [name]: undefined }),
    content: (
      <ChoiceBoxes
        words={words}
        chosen={filters[name] as WordOf<Name>[] | undefined}
        onChoose={(chosen) => setFilters({ [name]: chosen })}
      />
    ),
  });
  const charged = filters.is_charged === undefined ? undefined : chargeWord(filters.is_charged);
  return [
    range,
    many('state', texts.ui.states),
    many('channel', CHANNEL_TITLES),
    many('tried', CHANNEL_TITLES),
    many('kind', { otp: kinds.otp, link: kinds.link, group: kinds.group }),
    ...(key === undefined ? [] : [key]),
    {
      id: 'purpose',
      label: names.purpose,
      chosen: filters.purpose,
      clear: () => setFilters({ purpose: undefined }),
      content: (
        <WordField
          label={names.purpose}
          hint={texts.messages.purposeHint}
          maxLength={PURPOSE_LENGTH_MAX}
          value={filters.purpose}
          onApply={(purpose) => setFilters({ purpose })}
        />
      ),
    },
    {
      id: 'mode',
      label: names.mode,
      chosen: chosenText(texts.ui.modes, filters.mode),
      clear: () => setFilters({ mode: undefined }),
      content: (
        <ChoiceDots
          words={texts.ui.modes}
          chosen={filters.mode}
          onChoose={(mode) => setFilters({ mode })}
        />
      ),
    },
    {
      id: 'is_charged',
      label: names.is_charged,
      chosen: chosenText(charges, charged),
      clear: () => setFilters({ is_charged: undefined }),
      content: (
        <ChoiceDots
          words={charges}
          chosen={charged}
          onChoose={(word) =>
            setFilters({ is_charged: word === undefined ? undefined : word === 'charged' })
          }
        />
      ),
    },
  ];
}

function chargeWord(isCharged: boolean): 'charged' | 'free' {
  return isCharged ? 'charged' : 'free';
}
