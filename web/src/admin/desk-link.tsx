import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type SectionName, splatOf } from './section-address.ts';

/** A link within the desk: `<DeskLink to={['companies', 12]}>`. */
export function DeskLink(props: {
  to: readonly [section: SectionName, ...path: (string | number)[]];
  search?: Record<string, string | undefined>;
  className?: string;
  onClick?: (() => void) | undefined;
  children: ReactNode;
}) {
  const { to, search = {}, className = 'link', onClick, children } = props;
  return (
    <Link
      to="/admin/$"
      params={{ _splat: splatOf(...to) }}
      search={search}
      activeOptions={{ exact: to[0] === 'overview', includeSearch: false }}
      onClick={onClick}
      className={className}
    >
      {children}
    </Link>
  );
}
