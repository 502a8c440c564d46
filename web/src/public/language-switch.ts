import { rememberChoice } from '../design/theme/remember.ts';

/** The links work by themselves; this keeps the choice for the cabinet and the next visit. */
export function startLanguageSwitch(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.languages a[hreflang]')) {
    link.addEventListener('click', () => rememberChoice('lang', link.hreflang));
  }
}
