import { ChevronDown, ListFilter, X } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useTexts } from '../../texts/use-texts.tsx';
import { classes } from '../classes.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../overlays/dialog.tsx';
import { placeUnder } from '../overlays/menu.tsx';
import { type FilterChip, FilterChips } from './filter-chips.tsx';

export type Filter = {
  id: string;
  label: string;
  /** The text of the current choice; undefined when the filter is not set. */
  chosen: string | undefined;
  clear: () => void;
  /** The control: checkboxes, a list, a field. */
  content: ReactNode;
};

/**
 * Above a list: the filters of every day, one press away each, and the rest as pills that open; on
 * a small screen the rest is in a sheet.
 */
export function FilterBar(props: {
  filters: readonly Filter[];
  chips?: readonly FilterChip[];
  search?: ReactNode;
  isFiltered: boolean;
  onReset: () => void;
  /** At the end of the row, such as saved views. */
  aside?: ReactNode;
}) {
  const { filters, chips = [], search, isFiltered, onReset, aside } = props;
  const texts = useTexts().ui;
  const reset = isFiltered && (
    <Button look="quiet" icon={<X aria-hidden="true" size={15} />} onClick={onReset}>
      {texts.resetFilters}
    </Button>
  );
  const hasSearch = search !== undefined;
  return (
    <div className={hasSearch ? 'grid gap-2.5' : 'flex flex-wrap gap-2.5'}>
      <div className={classes('flex flex-wrap items-center gap-2', !hasSearch && 'sm:hidden')}>
        {search}
        {filters.length > 0 && <FilterSheet filters={filters} />}
        {hasSearch && aside}
        <div className="sm:hidden">{reset}</div>
      </div>
      {(chips.length + filters.length > 0 || isFiltered) && (
        <div className="flex grow flex-wrap items-center gap-2">
          {chips.length > 0 && <FilterChips chips={chips} />}
          {chips.length > 0 && filters.length > 0 && (
            <span aria-hidden="true" className="mx-1 h-5 border-s border-hairline max-sm:hidden" />
          )}
          <div className="contents max-sm:hidden">
            {filters.map((filter) => (
              <FilterPill key={filter.id} filter={filter} />
            ))}
            {reset}
          </div>
        </div>
      )}
      {!hasSearch && aside}
    </div>
  );
}

function FilterSheet({ filters }: { filters: readonly Filter[] }) {
  const texts = useTexts().lists;
  const [isOpen, setOpen] = useState(false);
  const count = filters.filter(({ chosen }) => chosen !== undefined).length;
  const close = () => setOpen(false);
  return (
    <div className="sm:hidden">
      <Button
        icon={<ListFilter aria-hidden="true" size={16} />}
        onClick={() => setOpen(true)}
        aria-haspopup="dialog"
      >
        {count === 0 ? texts.filters : texts.filtersOn(count)}
      </Button>
      {isOpen && (
        <Dialog title={texts.filters} place="side" onClose={close}>
          <div className="grid gap-6 pb-20">
            {filters.map(({ id, label, content }) => (
              <section key={id} aria-label={label} className="grid gap-1.5">
                <h3 className="text-table">{label}</h3>
                {content}
              </section>
            ))}
          </div>
          <div className="fixed inset-x-0 bottom-0 border-t border-hairline bg-surface p-3">
            <Button look="primary" className="w-full" onClick={close}>
              {texts.showRows}
            </Button>
          </div>
        </Dialog>
      )}
    </div>
  );
}

/** One filter: a pill with its name or choice, which opens a native popover. */
export function FilterPill({ filter }: { filter: Filter }) {
  const { label, chosen, clear, content } = filter;
  const texts = useTexts().lists;
  const id = useId();
  const pill = useRef<HTMLSpanElement>(null);
  const box = useRef<HTMLFieldSetElement>(null);
  return (
    <>
      <span
        ref={pill}
        className={classes(
          'inline-flex max-w-full items-stretch rounded-full border text-sm',
          chosen === undefined
            ? 'border-hairline bg-surface text-muted'
            : 'border-brand bg-surface',
        )}
      >
        <button
          type="button"
          popoverTarget={id}
          className={classes(
            'target inline-flex min-w-0 items-center gap-1.5 rounded-full ps-3.5 hover:text-text',
            chosen === undefined ? 'pe-2.5' : 'pe-1',
          )}
        >
          <span className="truncate">
            {label}
            {chosen !== undefined && (
              <>
                : <strong className="font-medium text-text">{chosen}</strong>
              </>
            )}
          </span>
          {chosen === undefined && <ChevronDown aria-hidden="true" size={14} />}
        </button>
        {chosen !== undefined && (
          <button
            type="button"
            aria-label={texts.clearFilter(label)}
            title={texts.clearFilter(label)}
            className="target inline-flex items-center rounded-full ps-1 pe-3 text-muted hover:text-text"
            onClick={clear}
          >
            <X aria-hidden="true" size={14} />
          </button>
        )}
      </span>
      <fieldset
        ref={box}
        id={id}
        popover="auto"
        aria-label={label}
        onToggle={(event) => {
          if (event.newState !== 'open') return;
          placeUnder(pill.current, box.current, 'start');
          box.current?.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
        }}
        className="fixed m-0 max-h-[70dvh] min-w-56 max-w-[min(22rem,calc(100vw-1rem))] overflow-auto rounded-card border border-hairline bg-surface p-3 text-text shadow-overlay"
      >
        {content}
      </fieldset>
    </>
  );
}
