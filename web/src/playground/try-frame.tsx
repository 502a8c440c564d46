import { LANG_TITLES, LANGS, type Lang } from '@zhiber/contract/languages.ts';
import type { TrySession } from '@zhiber/contract/try.ts';
import { Keyboard, SunMoon } from 'lucide-react';
import { type MouseEvent, type ReactNode, useEffect } from 'react';
import { THEMES, useTheme } from '../design/theme/theme.ts';
import { useFormat, useLang, useTexts } from '../texts/use-texts.tsx';
import { Button, buttonClass } from '../ui/controls/button.tsx';
import { SandboxStripe } from '../ui/display/sandbox-stripe.tsx';
import { Menu, MenuButton } from '../ui/overlays/menu.tsx';
import { useShortcuts } from '../ui/overlays/shortcuts.tsx';

/** What is around the playground at `/try`: the way to the other public pages, and the balance. */
export function TryFrame(props: {
  company: TrySession['company'] | undefined;
  children: ReactNode;
}) {
  const texts = useTexts();
  const { tryPage } = texts.playground;
  useEffect(() => {
    document.title = `${tryPage.title} — Zhiber`;
  }, [tryPage.title]);
  return (
    <>
      <a
        href="#content"
        className="absolute -top-20 left-2 z-50 rounded-control bg-surface px-4 py-2 focus:top-2"
      >
        {texts.layout.skip}
      </a>
      <header>
        <SandboxStripe />
        <SiteBar />
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto grid max-w-[79rem] gap-3 px-4 pt-3 pb-12 outline-none sm:px-6"
      >
        <div className="flex flex-wrap items-end gap-x-3 gap-y-2 sm:gap-x-6">
          <div className="min-w-0 grow basis-80">
            <h1 className="text-xl tracking-tight">{tryPage.title}</h1>
            <p className="text-sm text-muted">{tryPage.lead}</p>
          </div>
          <Balance company={props.company} />
          <HelpButton />
        </div>
        {props.children}
      </main>
    </>
  );
}

function Balance({ company }: { company: TrySession['company'] | undefined }) {
  const texts = useTexts().layout;
  const format = useFormat();
  if (company === undefined) return null;
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 text-table text-muted">
      <span className="max-sm:sr-only">{company.name}</span> <span>{texts.balance}</span>{' '}
      <strong className="text-xl leading-tight text-text">{format.money(company.balance)}</strong>
    </p>
  );
}

function HelpButton() {
  const texts = useTexts().ui;
  const { showHelp } = useShortcuts();
  return (
    <Button
      aria-keyshortcuts="?"
      className="max-sm:hidden"
      icon={<Keyboard aria-hidden="true" size={16} />}
      onClick={showHelp}
    >
      {texts.shortcutsTitle}
    </Button>
  );
}

function SiteBar() {
  const texts = useTexts();
  const { tryPage } = texts.playground;
  const { lang } = useLang();
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-1 border-b border-hairline bg-surface px-4 py-2 [reading-flow:flex-visual] max-sm:gap-x-3 sm:px-[max(1.5rem,calc(50%-38rem))]">
      <a
        href={`/?lang=${lang}`}
        className="text-lg font-bold tracking-tight max-sm:order-first max-sm:grow"
      >
        Zhiber
      </a>
      {/* On a phone the languages stand beside the name, and the links below them. */}
      <nav
        aria-label={tryPage.navigation}
        className="flex grow flex-wrap items-center gap-x-4 text-table text-muted max-sm:order-1"
      >
        <a href={`/docs/errors?lang=${lang}`} className="py-1 hover:text-text">
          {texts.layout.helpErrors}
        </a>
        <a href="/api/openapi.json" className="py-1 hover:text-text">
          {texts.layout.helpDocs}
        </a>
      </nav>
      <LanguageLinks />
      <ThemeMenu />
      <a href="/app" className={buttonClass('plain', 'max-sm:order-2')}>
        {tryPage.cabinet}
      </a>
    </div>
  );
}

/** Links that work like any other, but keep what is typed: the texts alone are exchanged. */
function LanguageLinks() {
  const texts = useTexts().layout;
  const { lang: current, setLang } = useLang();
  const choose = (event: MouseEvent, lang: Lang) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void setLang(lang).then(() => history.replaceState(null, '', `?lang=${lang}`));
  };
  return (
    <nav aria-label={texts.language} className="flex flex-wrap gap-x-3 text-table">
      {LANGS.map((lang) => (
        <a
          key={lang}
          href={`?lang=${lang}`}
          hrefLang={lang}
          lang={lang}
          aria-current={lang === current ? 'true' : undefined}
          className="border-b-2 border-transparent py-1 text-muted hover:text-text aria-current:border-brand aria-current:font-medium aria-current:text-text"
          onClick={(event) => choose(event, lang)}
        >
          {LANG_TITLES[lang]}
        </a>
      ))}
    </nav>
  );
}

function ThemeMenu() {
  const texts = useTexts().layout;
  const [theme, setTheme] = useTheme();
  return (
    <Menu
      label={texts.theme}
      buttonClassName="text-muted hover:bg-sunken"
      button={<SunMoon aria-hidden="true" size={18} className="mx-auto" />}
    >
      {THEMES.map((name) => (
        <MenuButton
          key={name}
          aria-pressed={name === theme}
          className="aria-pressed:font-semibold"
          onClick={() => setTheme(name)}
        >
          {texts.themes[name]}
        </MenuButton>
      ))}
    </Menu>
  );
}
