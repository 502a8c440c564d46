import type { ReactNode } from 'react';
import { Refusal } from '../ui/display/refusal.tsx';

/** The buttons of a row, and why the last press was refused. */
export function RowActions({ error, children }: { error?: Error | null; children: ReactNode }) {
  return (
    <div className="grid gap-1.5 sm:justify-items-end">
      <div className="flex items-center gap-2 max-sm:flex-wrap">{children}</div>
      <div className="whitespace-normal empty:hidden">
        <Refusal error={error ?? null} />
      </div>
    </div>
  );
}
