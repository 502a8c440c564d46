import type { ComponentProps } from 'react';
import { BACK_LOOK, BackWords } from '../ui/display/back-link.tsx';
import { DeskLink } from './desk-link.tsx';

/** The same way back as in the cabinet, on the desk. */
export function BackLink({
  to,
  children,
}: Pick<ComponentProps<typeof DeskLink>, 'to' | 'children'>) {
  return (
    <DeskLink to={to} className={BACK_LOOK}>
      <BackWords>{children}</BackWords>
    </DeskLink>
  );
}
