import { Building2, Check, ChevronsUpDown, Menu as MenuIcon, Plus } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../queries.ts';
import { clearCache, useCompany, useSession } from '../session.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { Menu, MenuButton, MenuLine, MenuTitle } from '../ui/overlays/menu.tsx';
import { MenuLink } from '../ui/overlays/menu-link.tsx';
import { Navigation } from './navigation.tsx';
import { PaletteButton } from './palette-button.tsx';
import { HelpMenu, PersonMenu } from './person-menu.tsx';

export function TopBar() {
  return (
    <header className="sticky top-0 z-20 flex flex-wrap items-center gap-1 border-b border-hairline bg-surface px-2 py-1.5 sm:px-4">
      <SmallScreenNavigation />
      <CompanyMenu />
      <span className="grow" />
      <BalanceChip />
      <PaletteButton />
      <HelpMenu />
      <PersonMenu />
    </header>
  );
}

function SmallScreenNavigation() {
  const texts = useTexts().layout;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <div className="lg:hidden">
      <IconButton icon={MenuIcon} label={texts.openNavigation} onClick={() => setOpen(true)} />
      {isOpen && (
        <Dialog title={texts.navigation} onClose={close}>
          <Navigation onGo={close} />
        </Dialog>
      )}
    </div>
  );
}

function BalanceChip() {
  const texts = useTexts().layout;
  const format = useFormat();
  const { balance } = useCompany();
  if (balance === null) return null;
  return (
    <p className="px-2 text-table font-medium whitespace-nowrap">
      <span className="font-normal text-muted max-sm:sr-only">{texts.balance} </span>
      {format.money(balance)}
    </p>
  );
}

function CompanyMenu() {
  const texts = useTexts().layout;
  const company = useCompany();
  const { companies, viewed_until: viewedUntil } = useSession();
  const switchCompany = useAction('switchCompany');
  const choose = async (id: number) => {
    if (id === company.id) return;
    await switchCompany.mutateAsync({ body: { company_id: id } });
    await clearCache();
    // The open page belongs to the previous company, so the app reloads.
    location.assign('/app');
  };
  return (
    <Menu
      align="start"
      buttonClassName="min-w-0 hover:bg-sunken max-[26rem]:order-last max-[26rem]:basis-full"
      button={
        <span className="flex min-w-0 items-center gap-2 px-2 text-table font-medium">
          <Building2 aria-hidden="true" size={18} className="shrink-0 text-muted max-sm:hidden" />
          <span className="sr-only">{texts.company}: </span>
          <span className="max-w-64 truncate max-[26rem]:grow max-[26rem]:max-w-none max-[26rem]:text-start">
            {company.name}
          </span>
          <ChevronsUpDown aria-hidden="true" size={14} className="shrink-0 text-muted" />
        </span>
      }
    >
      <MenuTitle>{texts.switchCompany}</MenuTitle>
      {companies.map(({ id, name, role }) => (
        <CompanyItem
          key={id}
          name={name}
          role={role}
          isCurrent={id === company.id}
          onChoose={() => void choose(id)}
        />
      ))}
      {viewedUntil === null && (
        <>
          <MenuLine />
          <MenuLink to="/app/new-company" icon={<Plus aria-hidden="true" size={16} />}>
            {texts.addCompany}
          </MenuLink>
        </>
      )}
    </Menu>
  );
}

function CompanyItem(props: {
  name: string;
  role: keyof ReturnType<typeof useTexts>['ui']['roles'];
  isCurrent: boolean;
  onChoose: () => void;
}) {
  const roles = useTexts().ui.roles;
  return (
    <MenuButton aria-current={props.isCurrent ? 'true' : undefined} onClick={props.onChoose}>
      <span className="grid min-w-0 grow">
        <span className="truncate">{props.name}</span>
        <span className="text-sm text-muted">{roles[props.role]}</span>
      </span>
      {props.isCurrent && <Check aria-hidden="true" size={16} className="text-brand" />}
    </MenuButton>
  );
}
