import { KEY_MARKS } from '@zhiber/contract/pages/docs.ts';
import {
  type DocsFacts,
  fillPlaceholders,
  KEY_VARIABLE,
  namesPrice,
  placeholderValues,
} from '@zhiber/contract/pages/docs-placeholders.ts';
import type { Context } from '../../../context.ts';
import type { CompanyId } from '../../../ids.ts';
import { escapeHtml } from '../html.ts';

/** No company has it, so it pays the common prices. */
const NO_COMPANY = 0 as CompanyId;

/** What this installation fills in where a text leaves room. */
export async function readDocsFacts(ctx: Context, text = ''): Promise<DocsFacts> {
  return {
    siteUrl: ctx.urls.publicUrl,
    shortLinkBase: ctx.urls.shortLinkBase,
    key: sandboxKey(ctx) ?? KEY_VARIABLE,
    topupMin: ctx.config.topupMin,
    // A page without prices is there while the database is not.
    ...(namesPrice(text) && { prices: await ctx.prices.read(NO_COMPANY) }),
  };
}

/** The test key of the demo company, which `/try` shows to everybody as well. */
export function sandboxKey({ channels, demo }: Context): string | undefined {
  return channels.isSandbox ? demo?.keys.test : undefined;
}

export function fillMarkdown(markdown: string, facts: DocsFacts): string {
  return fillPlaceholders(markdown, placeholderValues(facts));
}

/**
 * A page as this installation shows it. The script of the page replaces what is marked `data-key`.
 * Without a known key the lines that have one wait in templates, which no browser shows.
 */
export function fillHtml(html: string, facts: DocsFacts): string {
  const values = Object.fromEntries(
    Object.entries(placeholderValues(facts)).map(([name, value]) => [name, escapeHtml(value)]),
  );
  const key = `<span data-key>${values.key}</span>`;
  return fillPlaceholders(chooseVersion(html, facts.key !== KEY_VARIABLE), { ...values, key });
}

function chooseVersion(html: string, isKeyKnown: boolean): string {
  const [withoutStart, withoutEnd] = KEY_MARKS.unknown;
  const [withStart, withEnd] = KEY_MARKS.known;
  const without = new RegExp(`${withoutStart}([\\s\\S]*?)${withoutEnd}`, 'g');
  const withKey = new RegExp(`${withStart}([\\s\\S]*?)${withEnd}`, 'g');
  if (isKeyKnown) return html.replaceAll(without, '').replaceAll(withKey, '$1');
  return html
    .replaceAll(without, '<span data-without-key>$1</span>')
    .replaceAll(withKey, '<template data-with-key>$1</template>');
}
