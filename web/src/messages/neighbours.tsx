import { useNavigate } from '@tanstack/react-router';
import { shortMessageId } from '@zhiber/contract/cabinet/message-id.ts';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { useTexts } from '../texts/use-texts.tsx';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { useShortcuts } from '../ui/overlays/shortcuts.tsx';

const STEPS: Readonly<Record<string, -1 | 1>> = { KeyJ: 1, ArrowDown: 1, KeyK: -1, ArrowUp: -1 };
type Step = (step: -1 | 1) => void;

/**
 * The messages above and below the open one, as the list behind the panel has them. `j`, `k` and the
 * arrows move the panel and the URL along; the focus stays in the panel.
 */
export function useNeighbours(id: string): {
  step: Step;
  rowOf: (id: string) => HTMLElement | undefined;
} {
  const navigate = useNavigate();
  const { isOn } = useShortcuts();
  const step: Step = (by) => {
    const rows = listedRows();
    const place = rows.findIndex((row) => idOf(row) === shortMessageId(id));
    const next = place < 0 ? undefined : rows[place + by];
    if (next === undefined) return;
    next.scrollIntoView({ block: 'nearest' });
    void navigate({
      to: '/app/messages/$id',
      params: { id: idOf(next) },
      search: true,
      // Whoever has looked through twenty messages goes back to the list by one press.
      replace: true,
      resetScroll: false,
    });
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const by = STEPS[event.code];
    if (by === undefined || isForAnother(event)) return;
    // Single letters can be switched off, arrows need not be.
    if (event.code.startsWith('Key') && !isOn) return;
    event.preventDefault();
    step(by);
  });
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return { step, rowOf: (open) => listedRows().find((row) => idOf(row) === shortMessageId(open)) };
}

/** Whether the key is for a control, or for a dialog above the panel. */
function isForAnother({ target, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || shiftKey) return true;
  if (document.querySelectorAll('dialog[open]').length > 1) return true;
  return target instanceof HTMLElement && target.matches('input, textarea, select');
}

function listedRows(): HTMLAnchorElement[] {
  return [...document.querySelectorAll<HTMLAnchorElement>('a[data-row-link]')];
}

function idOf(row: HTMLAnchorElement): string {
  return new URL(row.href).pathname.split('/').at(-1) ?? '';
}

/** The same with a pointer. */
export function StepButtons({ onStep }: { onStep: Step }) {
  const texts = useTexts().messages;
  return (
    <>
      <IconButton icon={ChevronUp} label={texts.previous} onClick={() => onStep(-1)} />
      <IconButton icon={ChevronDown} label={texts.next} onClick={() => onStep(1)} />
    </>
  );
}
