import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { classes } from '../classes.ts';

export type Look = 'primary' | 'plain' | 'danger' | 'quiet';

const LOOKS: Record<Look, string> = {
  primary: 'bg-brand text-on-brand border-transparent hover:opacity-90',
  plain: 'bg-surface text-text border-border hover:bg-sunken',
  danger: 'bg-surface text-bad border-bad hover:bg-bad-tint',
  quiet: 'bg-transparent text-text border-transparent hover:bg-sunken',
};

export function buttonClass(look: Look, className?: string): string {
  return classes(
    'target inline-flex items-center justify-center gap-2 rounded-control border px-3.5 py-1 text-table font-medium transition-opacity duration-150 disabled:opacity-60 aria-disabled:opacity-60',
    LOOKS[look],
    className,
  );
}

export type ButtonProps = Omit<ComponentProps<'button'>, 'type'> & {
  look?: Look;
  type?: 'button' | 'submit';
  icon?: ReactNode;
  /** While the action runs the button shows a spinner and cannot be pressed again. */
  isBusy?: boolean;
};

export function Button(props: ButtonProps) {
  const { look = 'plain', type = 'button', icon, isBusy = false, className, ...rest } = props;
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass(look, className)}
      // Not `disabled`, which would drop the focus to the top of the page.
      aria-disabled={isBusy || rest['aria-disabled']}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? ignorePress : rest.onClick}
    >
      {icon}
      {rest.children}
      {isBusy && <BusyMark />}
    </button>
  );
}

function ignorePress(event: MouseEvent): void {
  event.preventDefault();
}

function BusyMark() {
  return (
    <span
      aria-hidden="true"
      className="size-3.5 animate-spin rounded-full border-2 border-current border-r-transparent"
    />
  );
}
