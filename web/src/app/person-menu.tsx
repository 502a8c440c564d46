import { LANG_TITLES, LANGS, type Lang } from '@zhiber/contract/languages.ts';
import {
  Activity,
  BookOpen,
  Check,
  CircleQuestionMark,
  Keyboard,
  LogOut,
  Smartphone,
  TriangleAlert,
  UserRound,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { THEMES, useTheme } from '../design/theme/theme.ts';
import { useAction } from '../queries.ts';
import { clearCache, useSession } from '../session.ts';
import { useLang, useTexts } from '../texts/use-texts.tsx';
import { Menu, MenuButton, MenuLine, MenuOutsideLink, MenuTitle } from '../ui/overlays/menu.tsx';
import { MenuLink } from '../ui/overlays/menu-link.tsx';
import { useShortcuts } from '../ui/overlays/shortcuts.tsx';

/** Help is in the same place on every page. */
export function HelpMenu() {
  const texts = useTexts().layout;
  const { lang } = useLang();
  const { is_sandbox: isSandbox } = useSession();
  const { showHelp } = useShortcuts();
  return (
    <Menu
      label={texts.help}
      buttonClassName="text-muted hover:bg-sunken"
      button={<CircleQuestionMark aria-hidden="true" size={18} className="mx-auto" />}
    >
      <MenuOutsideLink
        href={`/docs/errors?lang=${lang}`}
        icon={<TriangleAlert aria-hidden="true" size={16} />}
      >
        {texts.helpErrors}
      </MenuOutsideLink>
      <MenuOutsideLink href="/api/openapi.json" icon={<BookOpen aria-hidden="true" size={16} />}>
        {texts.helpDocs}
      </MenuOutsideLink>
      <MenuOutsideLink
        href={`/status?lang=${lang}`}
        icon={<Activity aria-hidden="true" size={16} />}
      >
        {texts.helpStatus}
      </MenuOutsideLink>
      {isSandbox && (
        <MenuOutsideLink
          href={`/try?lang=${lang}`}
          icon={<Smartphone aria-hidden="true" size={16} />}
        >
          {texts.tryPage}
        </MenuOutsideLink>
      )}
      <MenuButton icon={<Keyboard aria-hidden="true" size={16} />} onClick={showHelp}>
        {texts.helpKeys}
      </MenuButton>
    </Menu>
  );
}

export function PersonMenu() {
  const texts = useTexts().layout;
  const { person, viewed_until: viewedUntil } = useSession();
  const isViewing = viewedUntil !== null;
  return (
    <Menu
      label={texts.personMenu}
      buttonClassName="text-muted hover:bg-sunken"
      button={<UserRound aria-hidden="true" size={18} className="mx-auto" />}
    >
      <div className="px-3 pt-1 pb-2 text-table">
        <p className="font-medium">{person.name}</p>
        <p className="text-sm text-muted">{person.email ?? person.phone}</p>
      </div>
      {!isViewing && <MenuLink to="/app/profile">{texts.sections.profile}</MenuLink>}
      <MenuLine />
      <ThemeChoice />
      <MenuLine />
      {isViewing ? <LanguageChoice /> : <OwnLanguage />}
      {!isViewing && (
        <>
          <MenuLine />
          <SignOut />
        </>
      )}
    </Menu>
  );
}

export function ThemeChoice() {
  const texts = useTexts().layout;
  const [theme, setTheme] = useTheme();
  return (
    <>
      <MenuTitle>{texts.theme}</MenuTitle>
      {THEMES.map((name) => (
        <Choice key={name} isChosen={name === theme} onChoose={() => setTheme(name)}>
          {texts.themes[name]}
        </Choice>
      ))}
    </>
  );
}

function OwnLanguage() {
  const changeProfile = useAction('changeProfile', { invalidates: ['session'] });
  return <LanguageChoice onChosen={(language) => changeProfile.mutate({ body: { language } })} />;
}

/** The language of this browser. */
export function LanguageChoice({ onChosen }: { onChosen?: (lang: Lang) => void }) {
  const texts = useTexts().layout;
  const { lang, setLang } = useLang();
  const choose = async (chosen: Lang) => {
    await setLang(chosen);
    onChosen?.(chosen);
  };
  return (
    <>
      <MenuTitle>{texts.language}</MenuTitle>
      {LANGS.map((name) => (
        <Choice key={name} lang={name} isChosen={name === lang} onChoose={() => void choose(name)}>
          {LANG_TITLES[name]}
        </Choice>
      ))}
    </>
  );
}

function Choice(props: {
  isChosen: boolean;
  onChoose: () => void;
  lang?: Lang;
  children: ReactNode;
}) {
  return (
    <MenuButton lang={props.lang} aria-pressed={props.isChosen} onClick={props.onChoose}>
      <span className="grow">{props.children}</span>
      {props.isChosen && <Check aria-hidden="true" size={16} className="text-brand" />}
    </MenuButton>
  );
}

/** Ends the session and leaves the cabinet; without a connection nothing happens. */
export function useSignOut(): () => void {
  const { mutateAsync } = useAction('signOut');
  const endSession = async () => {
    await mutateAsync({});
    await clearCache();
    location.assign('/login');
  };
  return () => void endSession().catch(() => undefined);
}

function SignOut() {
  const texts = useTexts().layout;
  const signOut = useSignOut();
  return (
    <MenuButton icon={<LogOut aria-hidden="true" size={16} />} onClick={signOut}>
      {texts.signOut}
    </MenuButton>
  );
}
