/**
 * The documentation in three languages: the translations have the same code, headings, links and
 * numbers as the Russian pages, and no page disagrees with the contract.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { ERRORS } from '@zhiber/contract/api/errors.ts';
import { EVENT_TYPES, MESSAGE_STATES } from '@zhiber/contract/api/events.ts';
import {
  MESSAGE_TEXTS_EN,
  MESSAGE_TEXTS_KK,
  MESSAGE_TEXTS_RU,
} from '@zhiber/contract/cabinet/message-texts.ts';
import { LANGS, type Lang } from '@zhiber/contract/languages.ts';
import { KNOWN_PLACEHOLDERS } from '@zhiber/contract/pages/docs-placeholders.ts';

const STATES = {
  ru: MESSAGE_TEXTS_RU.states,
  kk: MESSAGE_TEXTS_KK.states,
  en: MESSAGE_TEXTS_EN.states,
} as const satisfies Record<Lang, object>;

const slugsOf = (lang: Lang) =>
  readdirSync(path.join(import.meta.dirname, lang))
    .map((file) => path.basename(file, '.md'))
    .sort();
const slugs = slugsOf('ru');

const read = (lang: Lang, slug: string) =>
  readFileSync(path.join(import.meta.dirname, lang, `${slug}.md`), 'utf8');

const FENCE = /^```.*\n(?:.*\n)*?```$/gm;
const fencesOf = (page: string) => page.match(FENCE) ?? [];
const proseOf = (page: string) => page.replaceAll(FENCE, '');
const headingsOf = (page: string) =>
  [...proseOf(page).matchAll(/^(#+) .*?(?:\{#([a-z0-9-]+)\})?$/gm)].map(
    ([, depth, id]) => `${depth} ${id}`,
  );
const linksOf = (page: string) =>
  [...proseOf(page).matchAll(/\]\(([^)]+)\)/g)].map(([, href]) => href as string);
/** Sorted: another language may need another order of words. */
const codeWordsOf = (page: string) => (proseOf(page).match(/`[^`\n]+`/g) ?? []).sort();
const placeholdersOf = (page: string) =>
  [...page.matchAll(/\{\{(.*?)\}\}/g)].map(([, name]) => name as string);
const tablesOf = (page: string) =>
  proseOf(page)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((row) => row.split('|').length);

test('every page exists in every language', () => {
  for (const lang of LANGS) assert.deepEqual(slugsOf(lang), slugs);
});

describe('a translation has the same parts as the Russian page:', () => {
  for (const slug of slugs) {
    for (const lang of LANGS.filter((other) => other !== 'ru')) {
      test(`${lang}/${slug}`, () => {
        const [page, model] = [read(lang, slug), read('ru', slug)];
        assert.deepEqual(headingsOf(page), headingsOf(model));
        assert.deepEqual(fencesOf(page), fencesOf(model));
        assert.deepEqual(linksOf(page).sort(), linksOf(model).sort());
        assert.deepEqual(placeholdersOf(page).sort(), placeholdersOf(model).sort());
        assert.deepEqual(tablesOf(page), tablesOf(model));
        const translated = /[А-Яа-яЁёӘәҒғҚқҢңӨөҰұҮүҺһІі]/;
        const plain = (words: string[]) => words.filter((word) => !translated.test(word));
        assert.deepEqual(plain(codeWordsOf(page)), plain(codeWordsOf(model)));
      });
    }
  }
});

for (const lang of LANGS) {
  describe(`in ${lang}`, () => {
    for (const slug of slugs) {
      const page = read(lang, slug);

      test(`${slug} has a title and a description, and each heading an id of its own`, () => {
        assert.match(page, /^---\ntitle: \S.*\ndescription: \S.*\n---\n/);
        const headings = headingsOf(page);
        assert.deepEqual([...new Set(headings)], headings);
        for (const heading of headings) assert.doesNotMatch(heading, /undefined|^# /);
      });

      test(`${slug} uses known placeholders, and links that lead to a heading`, () => {
        for (const name of placeholdersOf(page))
          assert(Object.hasOwn(KNOWN_PLACEHOLDERS, name), name);
        for (const href of linksOf(page)) {
          const [, target = slug, anchor] =
            /^(?:\/docs(?:\/([\w-]+))?)?(?:#([\w-]+))?$/.exec(href) ?? [];
          if (anchor === undefined) continue;
          const ids = headingsOf(read(lang, target)).map((heading) => heading.split(' ')[1]);
          assert(ids.includes(anchor), `${href} leads nowhere`);
        }
      });

      test(`${slug} names error codes with the status that they have`, () => {
        for (const [, status, code = ''] of page.matchAll(/\b([45]\d\d) `([a-z_]+)`/g)) {
          assert.equal(ERRORS[code as keyof typeof ERRORS]?.status, Number(status), code);
        }
      });
    }

    test('channels explains every status in the words of the cabinet', () => {
      const page = read(lang, 'channels');
      for (const state of MESSAGE_STATES) {
        assert(page.includes(`\n| \`${state}\` | ${STATES[lang][state]} |`), state);
      }
    });

    test('webhooks lists every type of event', () => {
      const page = read(lang, 'webhooks');
      for (const type of EVENT_TYPES) assert(page.includes(`\n| \`${type}\` |`), type);
    });
  });
}
