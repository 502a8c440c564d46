import type { ReactNode } from 'react';
import { useTexts } from '../../texts/use-texts.tsx';

/** Folds what most keys never need. */
export function MoreSettings(props: { isOpen?: boolean; children: ReactNode }) {
  const texts = useTexts().keys;
  return (
    <details open={props.isOpen} className="rounded-card border border-hairline">
      <summary className="rounded-card px-4 py-3 text-table font-medium">{texts.more}</summary>
      <div className="grid gap-5 px-4 pt-1 pb-4">{props.children}</div>
    </details>
  );
}
