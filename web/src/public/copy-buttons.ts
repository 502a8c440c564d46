import { copyText } from '../snippets/copy.ts';

/** How long a button says that it has copied. */
const COPIED_MS = 2_000;

/** Buttons with `data-copy` copy the text of the element that it names. */
export function startCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    button.addEventListener('click', () => void copyFrom(button));
  }
}

async function copyFrom(button: HTMLButtonElement): Promise<void> {
  const source = document.getElementById(button.dataset.copy ?? '');
  const label = button.querySelector('span');
  if (source === null || label === null) return;
  if (!(await copyText(source.textContent ?? ''))) return;
  const text = label.textContent;
  label.textContent = button.dataset.copied ?? text;
  setTimeout(() => {
    label.textContent = text;
  }, COPIED_MS);
}
