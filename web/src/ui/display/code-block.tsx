import type { ReactNode } from 'react';
import { CopyButton } from '../controls/copy-button.tsx';

/** Code or JSON with a copy button. It is focusable, so that it can be scrolled by keyboard. */
export function CodeBlock(props: {
  label: ReactNode;
  code: string;
  aside?: ReactNode;
  /** The highlighted code; absent: plain text. */
  children?: ReactNode;
}) {
  const { label, code, aside, children = code } = props;
  return (
    <figure className="min-w-0 overflow-hidden rounded-card border border-hairline">
      <figcaption className="flex flex-wrap items-center gap-2 border-b border-hairline bg-sunken py-1 ps-4 pe-1.5 max-sm:ps-1.5 text-sm text-muted">
        <div className="grow">{label}</div>
        {aside}
        <CopyButton text={code} />
      </figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it with the arrow keys.
        tabIndex={0}
        lang="en"
        translate="no"
        className="max-h-96 overflow-auto bg-surface p-4 font-mono text-sm"
      >
        <code>{children}</code>
      </pre>
    </figure>
  );
}

/** Inline code: an id, a header, a key. */
export function Code({ children }: { children: ReactNode }) {
  return (
    <code
      translate="no"
      className="rounded-[4px] bg-sunken px-1 py-0.5 font-mono text-sm break-all"
    >
      {children}
    </code>
  );
}
