import { useQuery } from '@tanstack/react-query';
import type { Key } from '@zhiber/contract/cabinet/keys.ts';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { oneOf, useFilters } from '../app/filters.ts';
import { queryOf } from '../queries.ts';
import { useRight } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { CountingChip, whileCounting } from '../ui/display/counting-chip.tsx';
import { EmptyState, NoMatch } from '../ui/display/empty-state.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { ChoiceDots, chosenText } from '../ui/filters/choice-boxes.tsx';
import { FilterBar } from '../ui/filters/filter-bar.tsx';
import { chipsOf } from '../ui/filters/filter-chips.tsx';
import { useShortcut } from '../ui/overlays/shortcuts.tsx';
import { KeyTable } from './list/key-table.tsx';
import { NewKeyDialog } from './secret/new-key-dialog.tsx';

const MODES = ['test', 'live'] as const;
/** Without a choice, all keys that are not revoked. */
const STATES = ['rotating', 'expired', 'revoked', 'all'] as const;
const FILTERS = { mode: oneOf(MODES), state: oneOf(STATES) };

export function KeysPage() {
  const texts = useTexts().keys;
  const list = useQuery({ ...queryOf('keys'), refetchInterval: whileCounting(false) });
  const { filters } = useFilters(FILTERS);
  const canCreate = useRight('keys.change');
  const [isCreating, setCreating] = useState(false);
  const create = () => canCreate && setCreating(true);
  useShortcut('n', texts.create, create);
  const createButton = canCreate ? (
    <Button look="primary" icon={<Plus aria-hidden="true" size={16} />} onClick={create}>
      {texts.create}
    </Button>
  ) : undefined;
  const keys = list.data?.keys;
  const isEmpty = keys?.length === 0;
  return (
    <Page title={texts.title} lead={texts.lead} actions={isEmpty ? undefined : createButton}>
      {list.error !== null ? (
        <ErrorCard error={list.error} onRetry={list.refetch} />
      ) : (
        <>
          <CountingChip hours={list.data?.hours_to_count ?? 0} />
          {!isEmpty && <KeyFilters />}
          <KeyTable
            rows={keys?.filter((key) => isShown(key, filters))}
            empty={isEmpty ? <NoKeys action={createButton} /> : <NoneShown />}
          />
        </>
      )}
      {isCreating && list.data !== undefined && (
        <NewKeyDialog facts={list.data} onClose={() => setCreating(false)} />
      )}
    </Page>
  );
}

function NoKeys({ action }: { action: ReactNode }) {
  const texts = useTexts().keys;
  return (
    <EmptyState kind="first-use" title={texts.none} action={action}>
      {texts.noneLead}
    </EmptyState>
  );
}

/** Without filters only active keys are shown, so all existing keys may be revoked. */
function NoneShown() {
  const texts = useTexts();
  const { isFiltered, setFilters, resetFilters } = useFilters(FILTERS);
  return isFiltered ? (
    <NoMatch onReset={resetFilters} />
  ) : (
    <EmptyState
      kind="no-match"
      title={texts.keys.noneWork}
      action={
        <Button onClick={() => setFilters({ state: 'all' })}>{texts.keys.showRevoked}</Button>
      }
    />
  );
}

type Filters = { mode: Key['mode'] | undefined; state: (typeof STATES)[number] | undefined };

function isShown({ mode, state }: Key, filters: Filters): boolean {
  if (filters.mode !== undefined && filters.mode !== mode) return false;
  if (filters.state === undefined) return state !== 'revoked';
  return filters.state === 'all' || filters.state === state;
}

function KeyFilters() {
  const { keys: texts, ui } = useTexts();
  const { filters, setFilters, resetFilters, isFiltered } = useFilters(FILTERS);
  return (
    <FilterBar
      chips={chipsOf(ui.modes, filters.mode, (mode) => setFilters({ mode }))}
      filters={[
        {
          id: 'state',
          label: texts.state,
          chosen: chosenText(texts.states, filters.state),
          clear: () => setFilters({ state: undefined }),
          content: (
            <ChoiceDots
              words={texts.states}
              allText={texts.notRevoked}
              chosen={filters.state}
              onChoose={(state) => setFilters({ state })}
            />
          ),
        },
      ]}
      isFiltered={isFiltered}
      onReset={resetFilters}
    />
  );
}
