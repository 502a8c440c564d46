import './design/fonts.css';
import './design/tokens.css';
import './styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { PageGone } from './app/lazy-page.tsx';
import { preloadPage } from './app/preload-pages.ts';
import { router } from './app/router.tsx';
import { CallError } from './call-error.ts';
import { rememberChoice } from './design/theme/remember.ts';
import { queryClient } from './queries.ts';
import { chooseLang } from './texts/language.ts';
import { loadFirstTexts, loadTexts } from './texts/load-texts.ts';
import { TextsProvider } from './texts/use-texts.tsx';
import { keepFocus } from './ui/overlays/keep-focus.ts';
import { ShortcutsProvider } from './ui/overlays/shortcuts.tsx';
import { ToastsProvider } from './ui/overlays/toasts.tsx';

const root = document.getElementById('app') as HTMLElement;
const lang = chooseLang({
  address: location.search,
  cookie: document.cookie,
  browser: navigator.languages,
});
// A page that was chosen in a language leads on in that language, also without it in the address.
if (new URLSearchParams(location.search).get('lang') === lang) rememberChoice('lang', lang);

/** What the page itself explains to the reader is no mistake of the page. */
function reportCrash(error: unknown): void {
  if (!(error instanceof CallError) && !(error instanceof PageGone)) console.error(error);
}

try {
  // Beside the texts, not after them.
  preloadPage(router, location.pathname);
  const texts = await loadFirstTexts(lang);
  createRoot(root, { onCaughtError: reportCrash }).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <TextsProvider lang={lang} texts={texts} load={loadTexts}>
          <ToastsProvider>
            <ShortcutsProvider>
              <RouterProvider router={router} />
            </ShortcutsProvider>
          </ToastsProvider>
        </TextsProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
  keepFocus();
} catch {
  // Without texts nothing can be drawn; the document has a notice in all languages.
  document.getElementById('not-started')?.removeAttribute('hidden');
}
