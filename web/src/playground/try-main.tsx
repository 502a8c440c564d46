/** The entry of `/try`. It brings neither the router nor the query cache of the cabinet. */
import '../design/fonts.css';
import '../design/tokens.css';
import './try.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { chooseLang } from '../texts/language.ts';
import { loadTryTexts } from '../texts/load-try-texts.ts';
import { TextsProvider } from '../texts/use-texts.tsx';
import { ShortcutsProvider } from '../ui/overlays/shortcuts.tsx';
import { ToastsProvider } from '../ui/overlays/toasts.tsx';
import { CrashBoundary } from './crash-boundary.tsx';
import { TryPage } from './try-page.tsx';

const lang = chooseLang({
  address: location.search,
  cookie: document.cookie,
  browser: navigator.languages,
});
const texts = await loadTryTexts(lang);

createRoot(document.getElementById('app') as HTMLElement).render(
  <StrictMode>
    <TextsProvider lang={lang} texts={texts} load={loadTryTexts}>
      <ToastsProvider>
        <ShortcutsProvider>
          <CrashBoundary>
            <TryPage />
          </CrashBoundary>
        </ShortcutsProvider>
      </ToastsProvider>
    </TextsProvider>
  </StrictMode>,
);
