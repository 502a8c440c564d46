import { Link, type LinkProps } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';

/** Above the title of one thing: back to the list that it is in. */
export function BackLink({
  to,
  children,
}: {
  to: NonNullable<LinkProps['to']>;
  children: ReactNode;
}) {
  return (
    <div>
      <Link to={to} className={BACK_LOOK}>
        <BackWords>{children}</BackWords>
      </Link>
    </div>
  );
}

export const BACK_LOOK =
  'target inline-flex items-center gap-1.5 text-table text-muted hover:text-text';

export function BackWords({ children }: { children: ReactNode }) {
  return (
    <>
      <ArrowLeft aria-hidden="true" size={16} />
      {children}
    </>
  );
}
