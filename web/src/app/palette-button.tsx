import { Search } from 'lucide-react';
import { type ComponentType, useEffect, useState } from 'react';
import { useTexts } from '../texts/use-texts.tsx';
import { importPart } from './lazy-page.tsx';

type PaletteProps = { onClose: () => void };

export const loadPalette = () => importPart(() => import('./palette/palette.tsx'), 'Palette');

const HINT = /Mac|iP(?:hone|ad)/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

/** The button of the palette; ⌘K or Ctrl K opens it too, whether shortcuts are on or off. */
export function PaletteButton() {
  const texts = useTexts().frame.palette;
  const [Palette, setPalette] = useState<ComponentType<PaletteProps>>();
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!isPaletteKey(event)) return;
      event.preventDefault();
      // A dialog is asking something: it comes first.
      if (document.querySelector('dialog[open]') === null) void open(setPalette);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  return (
    <>
      <button
        type="button"
        // What is seen has to be a part of the name.
        aria-label={`${texts.open}, ${HINT}`}
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
        title={texts.open}
        className="square-target inline-flex items-center justify-center gap-2 rounded-control px-2.5 text-sm text-muted hover:bg-sunken md:border md:border-border"
        onClick={() => void open(setPalette)}
      >
        <Search aria-hidden="true" size={16} />
        <span aria-hidden="true" className="max-md:hidden">
          {HINT}
        </span>
      </button>
      {Palette !== undefined && <Palette onClose={() => setPalette(undefined)} />}
    </>
  );
}

async function open(show: (choose: () => ComponentType<PaletteProps>) => void): Promise<void> {
  try {
    const palette = await loadPalette();
    show(() => palette);
  } catch {
    // The notes above the page say that the connection is lost, or that there is a new version.
  }
}

function isPaletteKey({ code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return code === 'KeyK' && (ctrlKey || metaKey) && !altKey && !shiftKey;
}
