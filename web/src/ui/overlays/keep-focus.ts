/**
 * Keeps the focus near where it was when its element goes away: a deleted row, a closed dialog, a
 * button that can no longer be pressed. Browsers give it to the body, and the keyboard starts over.
 */
const FOCUSABLE =
  ':is(a[href], button:not(:disabled), input:not(:disabled, [type=hidden]), select:not(:disabled), textarea:not(:disabled), summary)';

/** An element, and where it stood in each element around it. */
export type Place = { element: Element; path: readonly { parent: Element; index: number }[] };

export function placeOf(element: Element): Place {
  const path: { parent: Element; index: number }[] = [];
  let child = element;
  for (let parent = child.parentElement; parent !== null; parent = child.parentElement) {
    path.push({ parent, index: [...parent.children].indexOf(child) });
    child = parent;
  }
  return { element, path };
}

/** Focuses the element, or else what stands in its place now, or the page. */
export function focusPlace({ element, path }: Place): void {
  if (element.isConnected && focusOn(element)) return;
  for (const { parent, index } of path) {
    if (!parent.isConnected) continue;
    // Its whole page is gone: the new one begins at its top.
    if (parent.matches('body, main, #app')) break;
    const neighbours = [parent.children[index], parent.children[index - 1]];
    if (neighbours.some((one) => one !== undefined && focusWithin(one))) return;
  }
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
  if (dialog !== undefined && focusWithin(dialog)) return;
  const main = document.querySelector('main');
  if (main === null) return;
  if (!main.hasAttribute('tabindex')) main.tabIndex = -1;
  main.focus({ preventScroll: true });
}

function focusWithin(element: Element): boolean {
  if (element.matches(FOCUSABLE) && focusOn(element)) return true;
  return [...element.querySelectorAll(FOCUSABLE)].some(focusOn);
}

/** False for what cannot take the focus, such as what is hidden. */
function focusOn(element: Element): boolean {
  if (element.matches('body, :disabled')) return false;
  (element as HTMLElement).focus({ preventScroll: true });
  return document.activeElement === element;
}

/** Watches the document for as long as it lives. */
export function keepFocus(): void {
  let last: Place | undefined;
  document.addEventListener('focusin', ({ target }) => {
    last = target instanceof Element && target !== document.body ? placeOf(target) : undefined;
  });
  // A click beside everything takes the focus on purpose.
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Element && target.closest(`${FOCUSABLE}, label, [tabindex]`) === null) {
      last = undefined;
    }
  });
  const restore = () => {
    if (last === undefined || document.activeElement !== document.body) return;
    const { element } = last;
    const isGone = !element.isConnected || element.matches(':disabled') || !isShown(element);
    if (isGone) focusPlace(last);
  };
  // After the effects of React, which may have a better place.
  const observer = new MutationObserver(() => requestAnimationFrame(restore));
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['disabled', 'hidden', 'open'],
  });
}

function isShown(element: Element): boolean {
  return element.checkVisibility();
}
