import { ChevronDown, X } from 'lucide-react';
import { useId, useRef } from 'react';
import { useTexts } from '../../texts/use-texts.tsx';
import { classes } from '../classes.ts';
import { placeUnder } from '../overlays/menu.tsx';
import type { Filter } from './filter-bar.tsx';

/** One filter: its name, or what is chosen, over a native popover. */
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
          if (event.newState === 'open') placeUnder(pill.current, box.current, 'start');
        }}
        className="fixed m-0 max-h-[70dvh] min-w-56 max-w-[min(22rem,calc(100vw-1rem))] overflow-auto rounded-card border border-hairline bg-surface p-3 text-text shadow-overlay"
      >
        {content}
      </fieldset>
    </>
  );
}
