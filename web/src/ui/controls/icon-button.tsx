import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classes } from '../classes.ts';

export type IconButtonProps = Omit<ComponentProps<'button'>, 'type' | 'children'> & {
  icon: LucideIcon;
  /** The accessible name and the tooltip, because an icon alone is ambiguous. */
  label: string;
};

export function IconButton({ icon: Icon, label, className, ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      aria-label={label}
      title={label}
      className={classes(
        'square-target inline-grid place-items-center rounded-control hover:bg-sunken hover:text-text disabled:opacity-50',
        className ?? 'text-muted',
      )}
    >
      <Icon aria-hidden="true" size={18} />
    </button>
  );
}
