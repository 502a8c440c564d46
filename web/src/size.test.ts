/** Checks what was built; the size of a download in gzip, by the dependencies in the manifest. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { LANGS } from '@zhiber/contract/languages.ts';
import { PUBLIC_ENTRIES } from '../build/public-entries.ts';
import { PUBLIC_TEXTS } from './texts/public.ts';

const FIRST_LOAD_KB_MAX = 150;
/** Each file is a request; the index and the texts of one language are among them. */
const FIRST_LOAD_FILES_MAX = 8;
const TRY_FILES_MAX = 14;
const OVERVIEW_FILES_MAX = 16;
const LAZY_PAGE_KB_MAX = 60;
/** A page opened by its address brings what the pages share as well. */
const DIRECT_PAGE_KB_MAX = 75;
const CSS_KB_MAX = 20;
const PUBLIC_PAGE_KB_MAX = 15;
/** Scripts, styles and texts together. */
const TRY_KB_MAX = 120;

const PUBLIC_PAGES = 'src/public/pages.ts';
/** What the pages of the documentation load together. */
const DOCS_PAGES = {
  guide: [PUBLIC_PAGES, 'src/public/docs.ts'],
  console: [PUBLIC_PAGES, 'src/public/docs.ts', 'src/public/docs-console.ts'],
  webotp: [PUBLIC_PAGES, 'src/public/docs.ts', 'src/public/docs-webotp.ts'],
};

type Chunk = { file: string; imports?: string[]; css?: string[]; isDynamicEntry?: boolean };

const dist = path.join(import.meta.dirname, '../dist');
const manifestFile = path.join(dist, '.vite/manifest.json');
let manifest: Record<string, Chunk> = {};

/** A chunk and all its static imports, recursively. */
function closure(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const imported of manifest[name]?.imports ?? []) closure(imported, seen);
  return seen;
}

function kilobytes(files: Iterable<string>): number {
  const sizes = [...new Set(files)].map(
    (file) => gzipSync(readFileSync(path.join(dist, file)), { level: 9 }).length,
  );
  return sizes.reduce((total, size) => total + size, 0) / 1_000;
}

const scriptsOf = (names: Iterable<string>) =>
  [...names].map((name) => (manifest[name] as Chunk).file).filter((file) => file.endsWith('.js'));
const stylesOf = (names: Iterable<string>) =>
  [...names].flatMap((name) => manifest[name]?.css ?? []);

function assertFew(label: string, files: string[], filesMax: number): void {
  const names = [...new Set(files)];
  assert.ok(names.length <= filesMax, `${label} takes ${names.length} files: ${names.join(' ')}`);
}

describe('the build', () => {
  before(() => {
    assert.ok(existsSync(manifestFile), 'the pages are not built: npm run build');
    manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  });

  test('loads little before its first page, in each language', () => {
    for (const lang of LANGS) {
      const first = [...closure('index.html'), ...closure(`src/texts/${lang}.ts`)];
      const size = kilobytes(scriptsOf(first));
      assert.ok(size > 0 && size <= FIRST_LOAD_KB_MAX, `${lang}: ${size} kB of JavaScript`);
      assertFew(`${lang}: the first load`, scriptsOf(first), FIRST_LOAD_FILES_MAX);
      const overview = [...first, ...closure('src/overview/overview-page.tsx')];
      assertFew(`${lang}: the overview`, scriptsOf(overview), OVERVIEW_FILES_MAX);
    }
  });

  test('loads little for /try, in each language', () => {
    for (const lang of LANGS) {
      const first = [...closure('try.html'), ...closure(`src/texts/try/${lang}.ts`)];
      const size = kilobytes([...scriptsOf(first), ...stylesOf(first)]);
      assert.ok(size > 0 && size <= TRY_KB_MAX, `${lang}: ${size} kB`);
      assertFew(`${lang}: /try`, scriptsOf(first), TRY_FILES_MAX);
    }
  });

  test('names in its document what the first script imports, so that nothing waits in turn', () => {
    for (const page of ['index.html', 'try.html']) {
      const html = readFileSync(path.join(dist, page), 'utf8');
      for (const file of scriptsOf(closure(page)))
        assert.ok(html.includes(file), `${page}: ${file}`);
    }
  });

  test('loads little more with each page', () => {
    const first = closure('index.html');
    const lazy = Object.keys(manifest).filter((name) => manifest[name]?.isDynamicEntry);
    assert.ok(lazy.includes('src/keys/keys-page.tsx'), 'the pages are not loaded lazily');
    const sizeBeyond = (name: string, known: Set<string>) =>
      kilobytes(scriptsOf([...closure(name)].filter((part) => !known.has(part))));
    // The cabinet opens with the overview, which brings what the pages share.
    const usual = new Set([...first, ...closure('src/overview/overview-page.tsx')]);
    for (const name of lazy) {
      const added = sizeBeyond(name, usual);
      assert.ok(added <= LAZY_PAGE_KB_MAX, `${name}: ${added} kB of JavaScript`);
      const direct = sizeBeyond(name, first);
      assert.ok(direct <= DIRECT_PAGE_KB_MAX, `${name}, opened directly: ${direct} kB`);
    }
  });

  test('has small styles', () => {
    const size = kilobytes(stylesOf(closure('index.html')));
    assert.ok(size > 0 && size <= CSS_KB_MAX, `${size} kB of CSS`);
  });

  test('gives the pages of the server a small script and small styles', () => {
    for (const entry of PUBLIC_ENTRIES) {
      // A page with an entry of its own has the common one, too.
      const parts = [...closure(PUBLIC_PAGES), ...closure(entry)];
      const script = kilobytes(scriptsOf(parts));
      assert.ok(script > 0 && script <= PUBLIC_PAGE_KB_MAX, `${entry}: ${script} kB of JavaScript`);
      const styles = kilobytes(stylesOf(parts));
      assert.ok(styles > 0 && styles <= CSS_KB_MAX, `${entry}: ${styles} kB of CSS`);
    }
  });

  test('gives the pages of the documentation a small script and small styles', () => {
    for (const [name, entries] of Object.entries(DOCS_PAGES)) {
      const parts = new Set(entries.flatMap((entry) => [...closure(entry)]));
      const script = kilobytes(scriptsOf(parts));
      assert.ok(script > 0 && script <= PUBLIC_PAGE_KB_MAX, `${name}: ${script} kB of JavaScript`);
      const styles = kilobytes(stylesOf(parts));
      assert.ok(styles > 0 && styles <= CSS_KB_MAX, `${name}: ${styles} kB of CSS`);
    }
  });

  test('holds the words of the pages of the server in each language', () => {
    const texts = JSON.parse(readFileSync(path.join(dist, 'texts.json'), 'utf8'));
    assert.deepEqual(texts, PUBLIC_TEXTS);
  });

  test('contains no schemas, and nothing that its content security policy forbids', () => {
    const scripts = scriptsOf(Object.keys(manifest));
    for (const file of scripts) {
      const code = readFileSync(path.join(dist, file), 'utf8');
      assert.doesNotMatch(code, /minLength:\s*\d+,\s*maxLength:\s*\d+,\s*pattern/, file);
    }
    for (const page of ['index.html', 'try.html']) {
      const html = readFileSync(path.join(dist, page), 'utf8');
      assert.doesNotMatch(html, /<script(?![^>]* src=)|<style|\sstyle=/, page);
    }
  });
});
