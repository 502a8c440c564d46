import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from '../classes.ts';

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'calm' | 'test';

const TONES: Record<Tone, string> = {
  ok: 'bg-ok-tint text-ok',
  warn: 'bg-warn-tint text-warn',
  bad: 'bg-bad-tint text-bad',
  info: 'bg-info-tint text-info',
  calm: 'bg-sunken text-muted',
  test: 'bg-stripe-tint text-stripe',
};

/** Icon, word and colour: colour is never the only signal. */
export function Chip(props: { tone: Tone; icon?: LucideIcon; children: ReactNode }) {
  const { tone, icon: Icon, children } = props;
  return (
    <span
      className={classes(
        'inline-flex min-h-6 items-center gap-1.5 rounded-control px-2 py-0.5 text-sm leading-tight font-medium',
        TONES[tone],
      )}
    >
      {Icon !== undefined && <Icon aria-hidden="true" size={14} className="shrink-0" />}
      {children}
    </span>
  );
}
