import type { ComponentProps, ReactNode } from 'react';
import { buttonClass, type Look } from './button.tsx';

/** A link to a file, to a page of the server or to another site, that looks like a button. */
export function AnchorButton({
  look = 'plain',
  icon,
  className,
  children,
  ...rest
}: ComponentProps<'a'> & { look?: Look; icon?: ReactNode }) {
  return (
    <a {...rest} className={buttonClass(look, className)}>
      {icon}
      {children}
    </a>
  );
}
