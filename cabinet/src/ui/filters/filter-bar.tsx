import { ListFilter, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../overlays/dialog.tsx';
import { FilterPill } from './filter-pill.tsx';

export type Filter = {
  id: string;
  label: string;
  /** What is chosen, in words; undefined when nothing is. */
  chosen: string | undefined;
  clear: () => void;
  /** How it is chosen: boxes, a list, a field. */
  content: ReactNode;
};

/** Filters as pills above a list; on a small screen they wait in a sheet. */
export function FilterBar(props: {
  filters: readonly Filter[];
  search?: ReactNode;
  isFiltered: boolean;
  onReset: () => void;
  /** At the end of the row: saved views and the like. */
  aside?: ReactNode;
}) {
  const { filters, search, isFiltered, onReset, aside } = props;
  const texts = useTexts().ui;
  const reset = isFiltered && (
    <Button look="quiet" icon={<X aria-hidden="true" size={15} />} onClick={onReset}>
      {texts.resetFilters}
    </Button>
  );
  return (
    <div className="grid gap-2.5">
      <div className="flex flex-wrap items-center gap-2">
        {search}
        <FilterSheet filters={filters} />
        {aside}
        <div className="sm:hidden">{reset}</div>
      </div>
      <div className="flex flex-wrap items-center gap-2 max-sm:hidden">
        {filters.map((filter) => (
          <FilterPill key={filter.id} filter={filter} />
        ))}
        {reset}
      </div>
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
