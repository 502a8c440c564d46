import './design/fonts.css';
import './design/tokens.css';
import './styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './app/router.tsx';
import { queryClient } from './queries.ts';
import { chooseLang } from './texts/language.ts';
import { loadTexts } from './texts/load-texts.ts';
import { TextsProvider } from './texts/use-texts.tsx';
import { ShortcutsProvider } from './ui/overlays/shortcuts.tsx';
import { ToastsProvider } from './ui/overlays/toasts.tsx';

const lang = chooseLang({
  address: location.search,
  cookie: document.cookie,
  browser: navigator.languages,
});
const texts = await loadTexts(lang);

createRoot(document.getElementById('app') as HTMLElement).render(
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
