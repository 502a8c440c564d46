import type { ReactNode } from 'react';

/** A part of a page with a heading of its own; at the side of the heading what can be done there. */
export function DeskSection(props: {
  title: ReactNode;
  lead?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}) {
  const { title, lead, aside, children } = props;
  return (
    <section className="grid min-w-0 gap-3">
      <div>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 className="text-lg">{title}</h2>
          {aside}
        </div>
        {lead !== undefined && <p className="text-table text-muted">{lead}</p>}
      </div>
      {children}
    </section>
  );
}
