import { ArrowLeft } from 'lucide-react';
import type { ComponentProps } from 'react';
import { DeskLink } from './desk-link.tsx';

/** Under the title of one thing: back to the list that it is in. */
export function BackLink({
  to,
  children,
}: Pick<ComponentProps<typeof DeskLink>, 'to' | 'children'>) {
  return (
    <DeskLink
      to={to}
      className="inline-flex items-center gap-1.5 text-table text-muted hover:text-text"
    >
      <ArrowLeft aria-hidden="true" size={16} />
      {children}
    </DeskLink>
  );
}
