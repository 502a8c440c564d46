import { rememberedLanguage, rememberLanguage } from '../code-language.ts';
import { chosen, find } from '../dom.ts';
import { CODE_LANGUAGES, type CodeLanguage, printSnippet } from '../snippets.ts';
import type { ApiRequest, Session } from './server.ts';

/** Shows a request as code, in the language that was chosen last time. */
export function createCodeBlock(session: Session): {
  show(request: ApiRequest): void;
  text(): string;
} {
  const code = find('request-code', HTMLElement);
  const reveal = find('reveal-key', HTMLInputElement);
  let current: ApiRequest | undefined;

  function print(): void {
    if (current === undefined) return;
    code.textContent = printSnippet(chosenLanguage(), {
      url: session.base_url + current.path,
      body: current.body,
      key: reveal.checked ? session.keys[current.mode] : undefined,
    });
  }

  restoreLanguage();
  reveal.addEventListener('change', print);
  for (const radio of languageRadios()) {
    radio.addEventListener('change', () => {
      rememberLanguage(radio.value);
      print();
    });
  }
  return {
    show(request) {
      current = request;
      print();
    },
    text: () => code.textContent ?? '',
  };
}

function chosenLanguage(): CodeLanguage {
  return CODE_LANGUAGES.find((language) => language === chosen('code-language')) ?? 'curl';
}

function restoreLanguage(): void {
  const remembered = rememberedLanguage();
  for (const radio of languageRadios()) {
    if (radio.value === remembered) radio.checked = true;
  }
}

function languageRadios(): NodeListOf<HTMLInputElement> {
  return document.querySelectorAll<HTMLInputElement>('input[name="code-language"]');
}
