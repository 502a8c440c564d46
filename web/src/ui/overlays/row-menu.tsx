import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu } from './menu.tsx';

/** What can be done with one row of a list, behind three dots. */
export function RowMenu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Menu
      label={label}
      buttonClassName="text-muted hover:bg-sunken"
      button={<Ellipsis aria-hidden="true" size={18} className="mx-auto" />}
    >
      {children}
    </Menu>
  );
}
