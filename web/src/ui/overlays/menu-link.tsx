import { createLink } from '@tanstack/react-router';
import { MenuOutsideLink } from './menu.tsx';

/** A router link in a menu; it has the props of `Link`. */
export const MenuLink = createLink(MenuOutsideLink);
