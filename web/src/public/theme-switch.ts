import { rememberChoice } from '../design/theme/remember.ts';

/** The choice of a theme is of use with script alone, so the page hides it until now. */
export function startThemeSwitch(): void {
  const choice = document.querySelector<HTMLSelectElement>('select[data-theme]');
  const label = choice?.closest('label');
  if (!choice || !label) return;
  label.hidden = false;
  choice.addEventListener('change', () => {
    rememberChoice('theme', choice.value);
    document.documentElement.classList.remove('light', 'dark');
    if (choice.value !== 'system') document.documentElement.classList.add(choice.value);
  });
}
