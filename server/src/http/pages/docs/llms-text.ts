import type { Lang } from '@zhiber/contract/languages.ts';
import { LANG_TITLES, LANGS } from '@zhiber/contract/languages.ts';
import type { DocsBuild } from '@zhiber/contract/pages/docs.ts';
import type { PublicTexts } from '@zhiber/contract/pages.ts';
import { localHref } from '../layout.ts';
import { listPages } from './docs-frame.ts';

/** `/llms.txt`: where programs that read text find each page in Markdown (llmstxt.org). */
export function llmsText(
  docs: DocsBuild,
  { lang, texts, siteUrl }: { lang: Lang; texts: PublicTexts; siteUrl: string },
): string {
  const descriptions: Record<string, string> = {
    api: texts.docs.reference.description,
    errors: texts.errorPages.listLead,
  };
  const groups = listPages(docs, lang, texts).map(({ title, entries }) => {
    const links = entries.map(({ slug, title: name }) => {
      const description = docs.pages[lang][slug]?.description ?? descriptions[slug] ?? '';
      return `- [${name}](${siteUrl}${localHref(`/docs/${slug}.md`, lang)}): ${description}`;
    });
    return `## ${title}\n\n${links.join('\n')}`;
  });
  const others = LANGS.filter((other) => other !== lang).map(
    (other) => `- [${LANG_TITLES[other]}](${siteUrl}${localHref('/llms.txt', other)})`,
  );
  return [
    '# Zhiber',
    `> ${docs.pages[lang].index?.description ?? texts.docs.reference.description}`,
    ...groups,
    `## Optional\n\n- [llms-full.txt](${siteUrl}${localHref('/llms-full.txt', lang)})\n- [OpenAPI](${siteUrl}/api/openapi.json)\n${others.join('\n')}`,
    '',
  ].join('\n\n');
}
