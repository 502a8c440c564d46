import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { buttonClass, type Look } from './button.tsx';

type AnchorProps = ComponentProps<'a'> & { look?: Look; icon?: ReactNode };

function Anchor({ look = 'plain', icon, className, children, ...rest }: AnchorProps) {
  return (
    <a {...rest} className={buttonClass(look, className)}>
      {icon}
      {children}
    </a>
  );
}

/** A router link that looks like a button. It has the props of `Link`. */
export const LinkButton = createLink(Anchor);
/** The same for files and external sites. */
export const AnchorButton = Anchor;
