import { X } from 'lucide-react';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { useTexts } from '../../texts/use-texts.tsx';
import { IconButton } from '../controls/icon-button.tsx';

const SHOWN_MS = 6_000;
/** A toast with undo stays long enough to be read and reached. */
const UNDO_MS = 10_000;

type Toast = { id: number; text: string; undo?: () => void };
type Toasts = {
  /** Shows and announces a text. With `undo`, the action can be undone for ten seconds. */
  showToast: (text: string, options?: { undo?: () => void }) => void;
  /** Announces a text to screen readers only. */
  announce: (text: string) => void;
};
const ToastsContext = createContext<Toasts | undefined>(undefined);

export function ToastsProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const [announcement, setAnnouncement] = useState('');
  const value = useMemo<Toasts>(() => {
    let lastId = 0;
    // Screen readers announce a repeated text only if it differs, hence the extra space.
    const announce = (text: string) =>
      setAnnouncement((before) => (before === text ? `${text}\u00a0` : text));
    const showToast: Toasts['showToast'] = (text, { undo } = {}) => {
      lastId += 1;
      const id = lastId;
      setToasts((before) => [...before, { id, text, ...(undo && { undo }) }]);
      setTimeout(() => setToasts((before) => without(before, id)), undo ? UNDO_MS : SHOWN_MS);
      announce(text);
    };
    return { showToast, announce };
  }, []);
  return (
    <ToastsContext value={value}>
      {children}
      <div role="status" aria-live="polite" className="sr-only">
        {announcement}
      </div>
      <ToastList toasts={toasts} close={(id) => setToasts((before) => without(before, id))} />
    </ToastsContext>
  );
}

function without(toasts: Toast[], id: number): Toast[] {
  return toasts.filter((toast) => toast.id !== id);
}

function ToastList({ toasts, close }: { toasts: Toast[]; close: (id: number) => void }) {
  const texts = useTexts().ui;
  if (toasts.length === 0) return null;
  return (
    <section
      aria-label={texts.toasts}
      className="pointer-events-none fixed inset-x-0 bottom-4 z-40 grid justify-items-center gap-2 px-4"
    >
      {toasts.map(({ id, text, undo }) => (
        <div
          key={id}
          className="appear pointer-events-auto flex max-w-full items-center gap-2 rounded-control bg-text py-1 ps-4 pe-1 text-table text-bg shadow-overlay"
        >
          <span className="py-1">{text}</span>
          {undo !== undefined && (
            <button
              type="button"
              className="target rounded-control px-3 font-semibold underline"
              onClick={() => {
                undo();
                close(id);
              }}
            >
              {texts.undo}
            </button>
          )}
          <IconButton icon={X} label={texts.close} className="text-bg" onClick={() => close(id)} />
        </div>
      ))}
    </section>
  );
}

export function useToasts(): Toasts {
  const toasts = useContext(ToastsContext);
  if (toasts === undefined) throw new Error('a toast is asked for outside of ToastsProvider');
  return toasts;
}
