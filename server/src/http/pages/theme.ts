export type Theme = 'light' | 'dark';

/**
 * The theme that somebody chose on a page of this site, from its cookie; undefined: as the system.
 * The server writes it into the page, so that no other theme is painted first.
 */
export function chosenTheme(cookie: string | undefined): Theme | undefined {
  return /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(cookie ?? '')?.[1] as Theme | undefined;
}
