import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useCompany, useSession } from '../session.ts';
import { useLang, useTexts } from '../texts/use-texts.tsx';
import { ConnectionNotes } from './connection-notes.tsx';
import { IdentityGate } from './identity-gate.tsx';
import { MoneyBar } from './money-bar.tsx';
import { Navigation } from './navigation.tsx';
import { usePagesPreloaded } from './preload-pages.ts';
import { ProgressLine } from './progress-line.tsx';
import { SecondFactorGate } from './second-factor-gate.tsx';
import { SectionKeys } from './section-keys.tsx';
import { TopBar } from './top-bar.tsx';
import { ViewBar } from './view-bar.tsx';

/** The frame of every page: navigation at the side, bar on top. */
export function AppLayout() {
  const texts = useTexts().layout;
  const main = useRef<HTMLElement>(null);
  useProfileLanguage();
  usePagesPreloaded();
  useFocusOnNewPage(main);
  return (
    <div className="flex min-h-dvh flex-col">
      <ProgressLine />
      <a
        href="#content"
        className="absolute -top-20 left-2 z-50 rounded-control bg-surface px-4 py-2 focus:top-2"
      >
        {texts.skip}
      </a>
      <Stripe />
      <ViewBar />
      <SuspendedNote />
      <MoneyBar />
      <div className="flex grow">
        <Navigation className="hidden w-56 shrink-0 border-e border-hairline lg:flex" />
        <div className="flex min-w-0 grow flex-col">
          <TopBar />
          <main
            ref={main}
            id="content"
            tabIndex={-1}
            className="min-w-0 grow p-4 outline-none sm:p-6"
          >
            <ConnectionNotes />
            <SecondFactorGate>
              <Outlet />
            </SecondFactorGate>
          </main>
        </div>
      </div>
      <IdentityGate />
      <SectionKeys />
    </div>
  );
}

/** A banner on every page of the sandbox or the demo company. */
function Stripe() {
  const texts = useTexts().layout;
  const { is_sandbox: isSandbox } = useSession();
  const { is_demo: isDemo } = useCompany();
  if (!isSandbox && !isDemo) return null;
  return (
    <aside
      aria-label={texts.sandbox}
      className="bg-stripe-tint px-4 py-1.5 text-center text-sm text-stripe"
    >
      {isDemo ? (
        texts.demo
      ) : (
        <>
          <strong>{texts.sandbox}</strong>
          <span className="max-sm:sr-only"> — {texts.sandboxNote}</span>
        </>
      )}
    </aside>
  );
}

/** Says why nothing works in a company that the operator has suspended. */
function SuspendedNote() {
  const texts = useTexts().layout;
  const { suspended_because: reason } = useCompany();
  if (reason === null) return null;
  return (
    <div role="status" className="bg-bad-tint px-4 py-2 text-center text-sm text-bad">
      <strong>{texts.suspended}</strong> {texts.suspendedNote(reason.replace(/\.$/, ''))}
    </div>
  );
}

/** On the first render the language of the profile overrides the one stored in the browser. */
function useProfileLanguage(): void {
  const { person } = useSession();
  const { lang, setLang } = useLang();
  const pending = useRef(person.language);
  useEffect(() => {
    if (pending.current !== null && pending.current !== lang) void setLang(pending.current);
    pending.current = null;
  }, [lang, setLang]);
}

/** After navigation to another section, moves the focus to the main content. */
function useFocusOnNewPage(main: React.RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const previousSection = useRef(pathname.split('/')[2]);
  useEffect(() => {
    const section = pathname.split('/')[2];
    if (previousSection.current !== section) main.current?.focus({ preventScroll: true });
    previousSection.current = section;
  }, [pathname, main]);
}
