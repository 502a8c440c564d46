import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { classes } from '../classes.ts';
import { placeByKey } from './next-place.ts';

export type MenuProps = {
  /** The content of the button; `label` is its accessible name when that is only an icon. */
  button: ReactNode;
  label?: string;
  buttonClassName?: string;
  /** The edge of the button that the list is aligned with. */
  align?: 'start' | 'end';
  children: ReactNode;
};

const ITEM_CLASS =
  'target flex w-full items-center gap-2.5 rounded-control px-3 py-1 text-start text-table hover:bg-sunken focus-visible:-outline-offset-2';

/** A list of links and buttons in a native popover: Esc and a click outside close it. */
export function Menu({ button, label, buttonClassName, align = 'end', children }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const place = () => placeUnder(opener.current, list.current, align);
  return (
    <>
      <button
        ref={opener}
        type="button"
        popoverTarget={id}
        aria-label={label}
        title={label}
        className={classes('square-target rounded-control', buttonClassName)}
      >
        {button}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its keys are a shortcut; Tab works without. */}
      <div
        ref={list}
        id={id}
        popover="auto"
        onToggle={(event) => {
          if (event.newState !== 'open') return;
          place();
          listItems(event.currentTarget)[0]?.focus();
        }}
        onKeyDown={moveByKeys}
        onClick={(event) => {
          if (isItem(event.target)) list.current?.hidePopover();
        }}
        className="fixed m-0 max-h-[80dvh] min-w-52 max-w-[calc(100vw-1rem)] overflow-auto rounded-card border border-hairline bg-surface p-1.5 text-text shadow-overlay"
      >
        {children}
      </div>
    </>
  );
}

export function placeUnder(
  opener: Element | null,
  list: HTMLElement | null,
  align: 'start' | 'end',
) {
  if (opener === null || list === null) return;
  const at = opener.getBoundingClientRect();
  const width = list.offsetWidth;
  const left = align === 'start' ? at.left : at.right - width;
  const below = at.bottom + 4;
  const hasRoomBelow = below + list.offsetHeight <= window.innerHeight;
  list.style.left = `${Math.max(8, Math.min(left, window.innerWidth - width - 8))}px`;
  list.style.top = `${hasRoomBelow ? below : Math.max(8, at.top - list.offsetHeight - 4)}px`;
}

function isItem(target: EventTarget): boolean {
  return target instanceof Element && target.closest('[data-menu-item]') !== null;
}

function listItems(list: Element): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('[data-menu-item]:not(:disabled)')];
}

/** Arrows, Home and End, and the first letter of an item. */
function moveByKeys(event: KeyboardEvent<HTMLDivElement>) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const items = listItems(event.currentTarget);
  const place = items.indexOf(document.activeElement as HTMLElement);
  const next = placeByKey(
    event.key,
    place,
    items.map((item) => item.textContent),
  );
  if (next === undefined) return;
  event.preventDefault();
  items[next]?.focus();
}

type MenuButtonProps = Omit<ComponentProps<'button'>, 'type'> & { icon?: ReactNode };

export function MenuButton({ icon, children, className, ...rest }: MenuButtonProps) {
  return (
    <button {...rest} type="button" data-menu-item="" className={classes(ITEM_CLASS, className)}>
      {icon}
      {children}
    </button>
  );
}

/** A link to a page outside of the router; `MenuLink` is for those inside. */
export function MenuOutsideLink(props: ComponentProps<'a'> & { icon?: ReactNode }) {
  const { icon, children, className, ...rest } = props;
  return (
    <a {...rest} data-menu-item="" className={classes(ITEM_CLASS, className)}>
      {icon}
      {children}
    </a>
  );
}

export function MenuTitle({ children }: { children: ReactNode }) {
  return <p className="px-3 pt-2 pb-1 text-sm text-muted">{children}</p>;
}

export function MenuLine() {
  return <hr className="my-1.5 border-hairline" />;
}
