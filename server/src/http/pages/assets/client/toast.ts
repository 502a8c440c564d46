import { find } from './dom.ts';

const SHOWN_MS = 3_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** A short word at the foot of the page, read out as well. It never asks for anything. */
export function toast(text: string): void {
  const element = find('toast', HTMLElement);
  element.textContent = text;
  clearTimeout(timer);
  timer = setTimeout(() => {
    element.textContent = '';
  }, SHOWN_MS);
}
