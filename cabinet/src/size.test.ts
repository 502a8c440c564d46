/** What a browser has to fetch, packed as it is sent. The build's own manifest says what needs what. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';

const FIRST_LOAD_KB_MAX = 180;
const LAZY_PAGE_KB_MAX = 60;
const CSS_KB_MAX = 20;

type Chunk = { file: string; imports?: string[]; css?: string[]; isDynamicEntry?: boolean };

const dist = path.join(import.meta.dirname, '../dist');
const manifestFile = path.join(dist, '.vite/manifest.json');
let manifest: Record<string, Chunk> = {};

/** A chunk and all that it imports at once. */
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

const filesOf = (names: Iterable<string>) =>
  [...names].map((name) => (manifest[name] as Chunk).file).filter((file) => file.endsWith('.js'));
const stylesOf = (names: Iterable<string>) =>
  [...names].flatMap((name) => manifest[name]?.css ?? []);

describe('the built cabinet', () => {
  before(() => {
    assert.ok(existsSync(manifestFile), 'the cabinet is not built: npm run build');
    manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  });

  test('loads little before its first page, in each language', () => {
    for (const lang of ['ru', 'kk', 'en']) {
      const first = [...closure('index.html'), ...closure(`src/texts/${lang}.ts`)];
      const size = kilobytes(filesOf(first));
      assert.ok(size > 0 && size <= FIRST_LOAD_KB_MAX, `${lang}: ${size} kB of JavaScript`);
    }
  });

  test('loads little more with each page', () => {
    const known = closure('index.html');
    const lazy = Object.keys(manifest).filter((name) => manifest[name]?.isDynamicEntry);
    assert.ok(lazy.includes('src/keys/keys-page.tsx'), 'the pages are not loaded lazily');
    for (const name of lazy) {
      const size = kilobytes(filesOf([...closure(name)].filter((part) => !known.has(part))));
      assert.ok(size <= LAZY_PAGE_KB_MAX, `${name}: ${size} kB of JavaScript`);
    }
  });

  test('has small styles', () => {
    const size = kilobytes(stylesOf(closure('index.html')));
    assert.ok(size > 0 && size <= CSS_KB_MAX, `${size} kB of CSS`);
  });

  test('has no schema library in it, and nothing that its own policy forbids', () => {
    const scripts = filesOf(Object.keys(manifest));
    for (const file of scripts) {
      const code = readFileSync(path.join(dist, file), 'utf8');
      assert.doesNotMatch(code, /minLength:\s*\d+,\s*maxLength:\s*\d+,\s*pattern/, file);
    }
    const html = readFileSync(path.join(dist, 'index.html'), 'utf8');
    assert.doesNotMatch(html, /<script(?![^>]* src=)|<style|\sstyle=/);
  });
});
