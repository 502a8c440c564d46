/** Reads the code blocks of documentation pages, as a reader would copy them. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ERROR_CODES, type ErrorCode } from '@zhiber/contract/api/errors.ts';
import { DEFAULT_PRICES, TOPUP_MIN_DEFAULT } from '@zhiber/contract/api/prices.ts';
import { LANGS, type Lang } from '@zhiber/contract/languages.ts';
import {
  type PlaceholderValues,
  placeholderValues,
} from '@zhiber/contract/pages/docs-placeholders.ts';
import { isSnippetName, type SnippetName } from '../../../web/src/snippets/operations.ts';
import type { CodeForm } from '../../../web/src/snippets/snippets.ts';

/** What a block has to show: a success, or the code of an error. */
export type Expected = { success: true } | { errorCode: string };

export type Block = {
  line: number;
  expected: Expected;
} & (
  | { kind: 'snippet'; name: SnippetName; overrides: Record<string, string | number | null> }
  | { kind: 'code'; form: CodeForm; code: string }
);

/** A block that another test runs, or none: where the mark after its language says so. */
export type MarkedBlock = { mark: Mark; text: string };
export type Page = { slug: string; lang: Lang; blocks: Block[]; marked: MarkedBlock[] };

/**
 * `sdk`: run with the clients that are installed from their packages. `install`: how they get
 * there. `terminal`: commands of the
 * one who runs the service. `browser`: code of a page. `no-run`: by nobody.
 */
const MARKS = ['sdk', 'install', 'terminal', 'browser', 'no-run'] as const;
type Mark = (typeof MARKS)[number];

/** The languages of fences that are run, by what runs them. The other fences are for reading. */
const FORMS: Readonly<Record<string, CodeForm>> = {
  bash: 'curl',
  sh: 'curl',
  js: 'node',
  python: 'python',
  php: 'php',
  go: 'go',
  csharp: 'csharp',
};

export const DOCS = path.join(import.meta.dirname, '../../../web/src/docs');

/** All pages of a folder with a folder per language; none where there is no such folder. */
export function readPages(folder: string): Page[] {
  if (!existsSync(folder)) return [];
  return LANGS.flatMap((lang) =>
    globSync('**/*.md', { cwd: path.join(folder, lang) })
      .sort()
      .map((file) => {
        const text = readFileSync(path.join(folder, lang, file), 'utf8');
        return readPage(text, { slug: file.replace(/\.md$/, ''), lang });
      }),
  );
}

type Fence = { words: string[]; text: string; line: number };

export function readPage(text: string, { slug, lang }: Pick<Page, 'slug' | 'lang'>): Page {
  const fences = readFences(text, slug);
  const blocks: Block[] = [];
  const marked: MarkedBlock[] = [];
  for (const [i, fence] of fences.entries()) {
    const [language = '', ...marks] = fence.words;
    const form = FORMS[language];
    if (language !== 'snippet' && form === undefined) continue;
    const mark = MARKS.find((each) => marks.includes(each));
    if (mark !== undefined) {
      marked.push({ mark, text: fence.text });
      continue;
    }
    const at = { line: fence.line, expected: expectedOf(fence, fences[i + 1]) };
    if (form !== undefined) blocks.push({ kind: 'code', form, code: fence.text, ...at });
    else blocks.push({ ...readSnippet(fence, slug), ...at });
  }
  return { slug, lang, blocks, marked };
}

function readFences(text: string, slug: string): Fence[] {
  const fences: Fence[] = [];
  let open: { fence: Fence; end: RegExp; indent: number } | undefined;
  for (const [i, line] of text.split('\n').entries()) {
    const start = /^( *)(`{3,})([^`]*)$/.exec(line);
    if (open !== undefined) {
      if (open.end.test(line)) {
        fences.push(open.fence);
        open = undefined;
      } else open.fence.text += `${line.slice(Math.min(open.indent, indentOf(line)))}\n`;
    } else if (start !== null) {
      const [, indent = '', ticks = '', info = ''] = start;
      const words = info.split(/\s+/).filter((word) => word !== '');
      const fence = { words, text: '', line: i + 1 };
      open = { fence, end: new RegExp(`^ *\`{${ticks.length},} *$`), indent: indent.length };
    }
  }
  assert(open === undefined, `${slug}: the fence of line ${open?.fence.line} is not closed`);
  return fences;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The test numbers that a send is refused for. */
const REFUSED_PHONES: Readonly<Record<string, ErrorCode>> = {
  '+77000000004': 'delivery_failed',
  '+77000000005': 'insufficient_tokens',
  '+77000000006': 'send_rate_limited',
};

/**
 * A success, unless `expect=`, the answer that follows, or a test number that stands for a refusal
 * names an error.
 */
function expectedOf({ words, text }: Fence, next: Fence | undefined): Expected {
  const marked = words.find((word) => word.startsWith('expect='))?.slice('expect='.length);
  const answered = next?.words[0] === 'response' ? next.words[1] : undefined;
  const [, refused] = Object.entries(REFUSED_PHONES).find(([phone]) => text.includes(phone)) ?? [];
  const name = marked ?? answered ?? refused;
  const isError = (ERROR_CODES as readonly (string | undefined)[]).includes(name);
  assert(marked === undefined || isError, `expect=${marked} is no error code`);
  return isError ? { errorCode: String(name) } : { success: true };
}

function readSnippet({ words, text, line }: Fence, slug: string) {
  const name = words[1] ?? '';
  assert(isSnippetName(name), `${slug}, line ${line}: there is no snippet "${name}"`);
  const overrides = text.trim() === '' ? {} : JSON.parse(text);
  return { kind: 'snippet' as const, name, overrides };
}

/** The values that the server puts into a page of this site. */
export function placeholdersOf(site: { siteUrl: string; key: string }): PlaceholderValues {
  return placeholderValues({
    ...site,
    shortLinkBase: `${site.siteUrl}/s`,
    prices: DEFAULT_PRICES,
    topupMin: TOPUP_MIN_DEFAULT,
  });
}
