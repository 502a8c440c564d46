import { find } from '../dom.ts';
import { scenarioButtons } from './request-form.ts';

const SETTING_KEY = 'zhiber.single-keys';

export type ShortcutActions = { send(): void; copyCode(): void; focusVerify(): void };

/**
 * Single keys, for those who want them. They are off while somebody types, and can be switched off
 * for good.
 */
export function wireShortcuts(actions: ShortcutActions): void {
  const help = find('help', HTMLDialogElement);
  const setting = find('shortcuts-on', HTMLInputElement);
  setting.checked = localStorage.getItem(SETTING_KEY) !== 'off';
  setting.addEventListener('change', () => {
    localStorage.setItem(SETTING_KEY, setting.checked ? 'on' : 'off');
  });
  find('open-help', HTMLButtonElement).addEventListener('click', () => help.showModal());
  document.addEventListener('keydown', (event) => {
    if (!setting.checked || help.open || isForSomethingElse(event)) return;
    const action = actionFor(event, actions, help);
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}

/**
 * Letters go by their place on the keyboard: on a Russian or Kazakh layout the C key types another
 * letter.
 */
function actionFor(
  event: KeyboardEvent,
  actions: ShortcutActions,
  help: HTMLDialogElement,
): (() => void) | undefined {
  if (event.key === '?') return () => help.showModal();
  if (event.shiftKey) return undefined;
  if (event.key === 'Enter') return isOnControl(event) ? undefined : actions.send;
  if (event.code === 'KeyC') return actions.copyCode;
  if (event.code === 'KeyV') return actions.focusVerify;
  const digit = /^(?:Digit|Numpad)([1-4])$/.exec(event.code)?.[1];
  const button = digit === undefined ? undefined : scenarioButtons()[Number(digit) - 1];
  return button === undefined ? undefined : () => button.click();
}

function isForSomethingElse(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true;
  const { target } = event;
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  if (!(target instanceof HTMLInputElement)) return false;
  return target.type !== 'radio' && target.type !== 'checkbox';
}

/** Enter on a button or a link presses it. */
function isOnControl(event: KeyboardEvent): boolean {
  return (
    event.target instanceof Element && event.target.closest('a, button, summary, input') !== null
  );
}
