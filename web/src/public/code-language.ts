import { rememberedLanguage, rememberLanguage } from '../snippets/code-language.ts';

/** The styles show the code of the chosen language; this only remembers the choice. */
export function startCodeLanguage(): void {
  const choices = [...document.querySelectorAll<HTMLInputElement>('input[name="code-language"]')];
  if (choices.length === 0) return;
  const language = rememberedLanguage();
  for (const choice of choices) {
    choice.checked = choice.value === language;
    choice.addEventListener('change', () => rememberLanguage(choice.value));
  }
}
