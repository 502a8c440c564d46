import { useNavigate } from '@tanstack/react-router';
import { useTexts } from '../texts/use-texts.tsx';
import { useShortcut } from '../ui/overlays/shortcuts.tsx';
import { useSections } from './navigation.tsx';
import type { Section } from './sections.ts';

/** Keyboard shortcuts: `g` and a letter open a section; `j` and `k` move along table rows. */
export function SectionKeys() {
  const texts = useTexts().layout;
  const sections = useSections().flat();
  useShortcut('j', texts.nextRow, () => focusRow(1));
  useShortcut('k', texts.previousRow, () => focusRow(-1));
  return sections.map((section) => <SectionKey key={section.name} section={section} />);
}

function SectionKey({ section }: { section: Section }) {
  const texts = useTexts().layout;
  const navigate = useNavigate();
  useShortcut(section.keys, texts.goTo(texts.sections[section.name]), () => {
    void navigate({ to: section.to });
  });
  return null;
}

function focusRow(step: number): void {
  const links = [...document.querySelectorAll<HTMLElement>('[data-row-link]')];
  const current = links.indexOf(document.activeElement as HTMLElement);
  links[Math.max(0, Math.min(links.length - 1, current + step))]?.focus();
}
