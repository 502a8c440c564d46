import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';

/** Tabs are links: each has its own URL, and the back button works. On a phone all are in sight. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav aria-label={label} className="flex flex-wrap gap-x-1 border-b border-hairline">
      {children}
    </nav>
  );
}

function TabAnchor(props: ComponentProps<'a'>) {
  return (
    <a
      {...props}
      className="target inline-flex items-center border-b-2 border-transparent px-3 text-table max-sm:px-2 whitespace-nowrap text-muted hover:text-text aria-[current=page]:border-brand aria-[current=page]:font-medium aria-[current=page]:text-text"
    />
  );
}

/** It has the props of `Link` and is marked while its URL is open. */
export const Tab = createLink(TabAnchor);
