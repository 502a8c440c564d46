import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useTexts } from '../../texts/use-texts.tsx';
import { classes } from '../classes.ts';
import { IconButton } from '../controls/icon-button.tsx';
import { focusPlace, placeOf } from './keep-focus.ts';

export type DialogProps = {
  title: ReactNode;
  onClose: () => void;
  children: ReactNode;
  /** `top` keeps its place while its content grows; `side` is a panel at the edge of the screen. */
  place?: 'middle' | 'top' | 'side';
  size?: 'small' | 'large';
  /** False prevents closing by accident: Esc and a click on the backdrop do nothing. */
  canClose?: boolean;
  /** Buttons beside the title. */
  actions?: ReactNode;
  /** What gets the focus at the end; the element that had it before, unless this finds another. */
  focusAtEnd?: () => HTMLElement | undefined;
};

/** Fills a small screen. */
const BOX_CLASS =
  'rounded-card max-sm:m-0 max-sm:h-dvh max-sm:max-h-none max-sm:w-full max-sm:max-w-none max-sm:rounded-none';
const PLACES = {
  middle: `${BOX_CLASS} m-auto`,
  top: `${BOX_CLASS} mx-auto mt-[10dvh] mb-auto`,
  side: 'my-0 me-0 ms-auto h-dvh max-h-none w-full max-w-2xl border-y-0 border-e-0 max-sm:max-w-none',
};
const SIZES = { small: 'max-w-lg', large: 'max-w-3xl' };

/**
 * The native dialog: it traps the focus, restores it on close, and makes the rest of the page
 * inert. Render it while it should be open.
 */
export function Dialog(props: DialogProps) {
  const { title, onClose, children, place = 'middle', size = 'small', canClose = true } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const texts = useTexts().ui;
  useOpenDialog(dialog, props.focusAtEnd);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the key for it is Esc, which the browser handles.
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={classes(
        'w-full border border-hairline bg-surface p-0 text-text shadow-overlay',
        PLACES[place],
        place !== 'side' && SIZES[size],
      )}
      onCancel={(event) => {
        // A cancelled file chooser inside bubbles the same event, which must not close the dialog.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        if (canClose) onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget && canClose) onClose();
      }}
    >
      <div className="flex min-h-full flex-col">
        <div className="sticky top-0 z-10 flex items-start gap-3 border-b border-hairline bg-surface py-2.5 ps-5 pe-3">
          <h2 id={titleId} className="grow py-1 text-lg">
            {title}
          </h2>
          {props.actions}
          {canClose && <IconButton icon={X} label={texts.close} onClick={onClose} />}
        </div>
        <div className="grow p-5">{children}</div>
      </div>
    </dialog>
  );
}

/** Restores the focus to the previous element or its place, even when the dialog is just unmounted. */
function useOpenDialog(
  dialog: React.RefObject<HTMLDialogElement | null>,
  focusAtEnd: DialogProps['focusAtEnd'],
): void {
  const findFocus = useRef(focusAtEnd);
  useEffect(() => {
    findFocus.current = focusAtEnd;
  });
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    const place = before && placeOf(before);
    element?.showModal();
    // Focus the first field of a form instead of the close button.
    element?.querySelector<HTMLElement>('form :is(input, select, textarea)')?.focus();
    return () => {
      element?.close();
      const end = findFocus.current?.();
      if (end instanceof HTMLElement && end.isConnected) end.focus();
      else if (place !== null) focusPlace(place);
    };
  }, [dialog]);
}
