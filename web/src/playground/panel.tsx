import { type ReactNode, type Ref, useState } from 'react';

/** A card that folds. */
export function Panel(props: {
  title: string;
  ref?: Ref<HTMLDetailsElement>;
  isBusy?: boolean;
  /** On a narrow screen it is folded until somebody opens it. */
  isFoldedOnNarrow?: boolean;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(
    () => props.isFoldedOnNarrow !== true || !matchMedia('(max-width: 48rem)').matches,
  );
  return (
    <details
      ref={props.ref}
      open={isOpen}
      aria-busy={props.isBusy || undefined}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="min-w-0 scroll-my-3 rounded-card border border-hairline bg-surface"
    >
      <summary className="rounded-card px-4 py-3 sm:px-5">
        <h2 className="inline text-base">{props.title}</h2>
      </summary>
      <div className="px-4 pb-4 sm:px-5 sm:pb-5">{props.children}</div>
    </details>
  );
}
