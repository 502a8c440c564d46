import { createLink } from '@tanstack/react-router';
import { AnchorButton } from './anchor-button.tsx';

/** A router link that looks like a button. It has the props of `Link`. */
export const LinkButton = createLink(AnchorButton);
