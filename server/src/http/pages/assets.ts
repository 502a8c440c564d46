import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { extname } from 'node:path';

export type Asset = { body: Buffer; type: string };

const FOLDER = new URL('./assets/', import.meta.url);

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const FONT_SUBSETS = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext'];

type AssetSet = { prefix: string; assets: Map<string, Asset> };
let loaded: AssetSet | undefined;

/**
 * Every asset by the path it is served at. The path changes with the content, so it may be cached
 * for ever.
 */
export function readAssets(): Map<string, Asset> {
  return loadedSet().assets;
}

/** The address of one asset, such as `styles/base.css` or `client/try/main.js`. */
export function assetUrl(name: string): string {
  const { prefix, assets } = loadedSet();
  const path = prefix + name;
  if (!assets.has(path)) throw new Error(`no such asset: ${name}`);
  return path;
}

/** The addresses of all assets under a folder, for preloading the modules of a page in one go. */
export function assetUrlsUnder(folder: string): string[] {
  const { prefix, assets } = loadedSet();
  return [...assets.keys()].filter((path) => path.startsWith(`${prefix}${folder}/`));
}

function loadedSet(): AssetSet {
  loaded ??= loadSet();
  return loaded;
}

/**
 * One hash for the whole set is a folder in the address. Relative imports between the modules then
 * resolve as they are written, and a page never mixes modules of two versions.
 */
function loadSet(): AssetSet {
  const files = [...assetFiles().map(loadFile), ...FONT_SUBSETS.map(loadFont)];
  const hash = createHash('sha256');
  for (const file of files) hash.update(file.name).update(file.asset.body);
  const prefix = `/assets/${hash.digest('hex').slice(0, 12)}/`;
  return { prefix, assets: new Map(files.map((file) => [prefix + file.name, file.asset])) };
}

function assetFiles(): string[] {
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => extname(name) === '.ts' || extname(name) in TYPES)
    .filter((name) => !name.endsWith('.test.ts'))
    .sort();
}

function loadFile(file: string): { name: string; asset: Asset } {
  const source = readFileSync(new URL(file, FOLDER));
  const isScript = file.endsWith('.ts');
  const name = isScript ? file.replace(/\.ts$/, '.js') : file;
  const body = isScript ? Buffer.from(toBrowserModule(source.toString('utf8'))) : source;
  return { name, asset: { body, type: TYPES[extname(name)] ?? 'application/octet-stream' } };
}

/** The font comes with its package; only the subsets that our three languages need are served. */
function loadFont(subset: string): { name: string; asset: Asset } {
  const file = `@fontsource-variable/onest/files/onest-${subset}-wght-normal.woff2`;
  const body = readFileSync(new URL(import.meta.resolve(file)));
  return { name: `fonts/onest-${subset}.woff2`, asset: { body, type: 'font/woff2' } };
}

function toBrowserModule(source: string): string {
  return withoutExperimentalWarning(() => stripTypeScriptTypes(source))
    .replace(/(\bfrom '\.[^']*)\.ts';/g, "$1.js';")
    .replace(/[ \t]+$/gm, '');
}

/**
 * Node warns on each first use of the type stripper, which is the same one that runs this very
 * file.
 */
function withoutExperimentalWarning<T>(work: () => T): T {
  const emitWarning = process.emitWarning;
  process.emitWarning = () => {};
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}
