import { type ReactNode, useEffect } from 'react';
import { SameFailures } from './same-failures.tsx';

/** The layout of a page: heading, actions and content. */
export function Page(props: {
  title: string;
  /** Above the title of one thing: the way back to the list that it is in. */
  back?: ReactNode;
  /** One sentence about the purpose of the page. */
  lead?: ReactNode;
  actions?: ReactNode;
  /** A narrow column, for forms. */
  isNarrow?: boolean;
  children: ReactNode;
}) {
  const { title, back, lead, actions, isNarrow = false, children } = props;
  useEffect(() => {
    document.title = `${title} — Zhiber`;
  }, [title]);
  return (
    <div className={isNarrow ? 'max-w-form' : 'max-w-content'}>
      {back !== undefined && <div className="-mt-2 mb-1">{back}</div>}
      <header className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 grow basis-56 sm:basis-72">
          <h1 className="text-2xl tracking-tight wrap-anywhere">{title}</h1>
          {lead !== undefined && <p className="mt-1 max-w-prose text-pretty text-muted">{lead}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      <div className="grid min-w-0 gap-5">
        <SameFailures>{children}</SameFailures>
      </div>
    </div>
  );
}
