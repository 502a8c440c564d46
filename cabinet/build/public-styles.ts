import type { Plugin } from 'vite';

const STYLES = 'server/src/http/pages/assets/styles/';
const DARK = /@media \(prefers-color-scheme: dark\) \{\s*:root (\{[^}]*\})\s*\}/;

/**
 * Colours and fonts have one source, the styles of the public pages. Those follow the system alone;
 * here a person may choose, so the dark colours come by a class as well.
 */
export function publicStyles(): Plugin {
  return {
    name: 'zhiber-public-styles',
    enforce: 'pre',
    transform(css, id) {
      const file = id.split('?', 1)[0] as string;
      if (file.endsWith(`${STYLES}tokens.css`)) return { code: withChoice(css), map: null };
      if (file.endsWith(`${STYLES}fonts.css`)) return { code: withPackedFonts(css), map: null };
      return null;
    },
  };
}

function withChoice(css: string): string {
  const dark = DARK.exec(css);
  if (dark === null) throw new Error('tokens.css has no dark colours where they are looked for');
  const [bySystem, colours] = dark;
  return `${css.replace(bySystem, bySystem.replace(':root', ':root:not(.light)'))}
:root.dark ${colours}
:root.dark { color-scheme: dark; }
:root.light { color-scheme: light; }
`;
}

function withPackedFonts(css: string): string {
  return css.replaceAll(
    /\.\.\/fonts\/onest-([a-z-]+)\.woff2/g,
    '@fontsource-variable/onest/files/onest-$1-wght-normal.woff2',
  );
}
