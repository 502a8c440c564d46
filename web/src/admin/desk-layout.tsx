import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { LogOut, Menu as MenuIcon, UserRound } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ConnectionNotes } from '../app/connection-notes.tsx';
import { LanguageChoice, ThemeChoice } from '../app/person-menu.tsx';
import { ProgressLine } from '../app/progress-line.tsx';
import { clearCache } from '../session.ts';
import { useAdminTexts } from '../texts/use-admin-texts.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { classes } from '../ui/classes.ts';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { DeskLabel } from '../ui/identity/sign-in-frame.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { Menu, MenuButton, MenuLine } from '../ui/overlays/menu.tsx';
import { onDeskRefusal, useAction } from './call.ts';
import { DeskLink } from './desk-link.tsx';
import { DeskProof } from './desk-proof.tsx';
import { SECTIONS } from './sections.ts';
import { useOperator } from './session.ts';

/** The frame of every section: navigation at the side, bar on top, both in the colours of the desk. */
export function DeskLayout() {
  const texts = useTexts().layout;
  const desk = useAdminTexts().frame;
  const main = useRef<HTMLElement>(null);
  useSignInAgain();
  useFocusOnNewSection(main);
  return (
    <div className="flex min-h-dvh flex-col">
      <ProgressLine />
      <a
        href="#content"
        className="absolute -top-20 left-2 z-50 rounded-control bg-surface px-4 py-2 focus:top-2"
      >
        {texts.skip}
      </a>
      <TopBar />
      <div className="flex grow">
        <Navigation className="desk hidden w-56 shrink-0 bg-bg text-text lg:flex" />
        <main
          ref={main}
          id="content"
          tabIndex={-1}
          className="min-w-0 grow p-4 outline-none sm:p-6"
        >
          <ConnectionNotes />
          <Outlet />
          <p className="mt-8 text-sm text-muted">{desk.zone}</p>
        </main>
      </div>
      <DeskProof />
    </div>
  );
}

function TopBar() {
  const texts = useAdminTexts().frame;
  const { is_sandbox: isSandbox } = useOperator();
  return (
    <header className="desk sticky top-0 z-20 flex items-center gap-2 border-b border-hairline bg-bg px-2 py-1.5 text-text sm:px-4">
      <SmallScreenNavigation />
      <DeskLink
        to={['overview']}
        className="target flex min-w-0 items-center gap-2 px-2 text-lg font-bold tracking-tight"
      >
        <span className="max-sm:sr-only">Zhiber</span>
        <DeskLabel>{texts.desk}</DeskLabel>
      </DeskLink>
      <span className="grow" />
      {isSandbox && <span className="text-sm text-muted max-sm:sr-only">{texts.sandbox}</span>}
      <OperatorMenu />
    </header>
  );
}

function Navigation({ className, onGo }: { className?: string; onGo?: () => void }) {
  const texts = useAdminTexts().frame;
  return (
    <nav aria-label={texts.navigation} className={classes('flex-col', className)}>
      <ul className={classes('grid gap-0.5', onGo === undefined ? 'sticky top-14 p-3' : '-mx-3')}>
        {SECTIONS.map(({ name, icon: Icon }) => (
          <li key={name}>
            <DeskLink
              to={[name]}
              onClick={onGo}
              className="target flex items-center gap-3 rounded-control px-3 py-1 text-table text-muted hover:bg-sunken hover:text-text aria-[current=page]:bg-sunken aria-[current=page]:font-medium aria-[current=page]:text-text"
            >
              <Icon aria-hidden="true" size={18} className="shrink-0" />
              {texts.sections[name]}
            </DeskLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function SmallScreenNavigation() {
  const texts = useAdminTexts().frame;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <div className="lg:hidden">
      <IconButton icon={MenuIcon} label={texts.openNavigation} onClick={() => setOpen(true)} />
      {isOpen && (
        <Dialog title={texts.desk} onClose={close}>
          <Navigation onGo={close} />
        </Dialog>
      )}
    </div>
  );
}

function OperatorMenu() {
  const texts = useAdminTexts().frame;
  const { person } = useOperator();
  const signOut = useAction('signOut');
  const endSession = async () => {
    await signOut.mutateAsync({});
    await clearCache();
    location.assign('/admin/login');
  };
  return (
    <Menu
      label={texts.person}
      buttonClassName="text-muted hover:bg-sunken"
      button={<UserRound aria-hidden="true" size={18} className="mx-auto" />}
    >
      <div className="px-3 pt-1 pb-2 text-table">
        <p className="font-medium">{person.name}</p>
        <p className="text-sm text-muted">{person.email}</p>
      </div>
      <MenuLine />
      <ThemeChoice />
      <MenuLine />
      <LanguageChoice />
      <MenuLine />
      <MenuButton icon={<LogOut aria-hidden="true" size={16} />} onClick={() => void endSession()}>
        {texts.signOut}
      </MenuButton>
    </Menu>
  );
}

/** When the session has ended: go to the sign-in page of the desk, and return here afterwards. */
function useSignInAgain(): void {
  const navigate = useNavigate();
  const { href } = useLocation();
  const signInAgain = useEffectEvent(() => {
    void clearCache().then(() => navigate({ to: '/admin/login', search: { back: href } }));
  });
  useEffect(() => {
    onDeskRefusal.signInAgain = () => signInAgain();
    return () => {
      onDeskRefusal.signInAgain = () => {};
    };
  }, []);
}

/** After navigation to another section, moves the focus to the main content. */
function useFocusOnNewSection(main: React.RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const previous = useRef(pathname.split('/')[2]);
  useEffect(() => {
    const section = pathname.split('/')[2];
    if (previous.current !== section) main.current?.focus({ preventScroll: true });
    previous.current = section;
  }, [pathname, main]);
}
