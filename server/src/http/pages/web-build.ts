import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Lang } from '@zhiber/contract/languages.ts';
import type { Change } from '@zhiber/contract/pages/changelog.ts';
import type { DocsBuild } from '@zhiber/contract/pages/docs.ts';
import type { PublicSnippets } from '@zhiber/contract/pages/snippets.ts';
import type { PublicTexts } from '@zhiber/contract/pages.ts';
import { etagOf } from './etag.ts';

export type BuiltFile = {
  body: Buffer;
  type: string;
  etag: string;
  /** Compressed by the build; the browser says which form it can read. */
  packed: { br?: Buffer; gzip?: Buffer };
};

/** The addresses of what an entry of the server-rendered pages loads. */
export type EntryAssets = {
  script: string;
  /** Modules that the script imports, for loading them in one go. */
  modules: readonly string[];
  styles: readonly string[];
};

export type PageAssets = {
  icon: string;
  /** By the name of the source: `pages` is `web/src/public/pages.ts`. */
  entries: ReadonlyMap<string, EntryAssets>;
};

/** Everything that the build of `web/` made, held in memory. */
export type WebBuild = {
  /** The documents of the browser applications, such as `index.html`. */
  documents: ReadonlyMap<string, BuiltFile>;
  /** All other files, by the path they are served at. Their names change with their content. */
  assets: ReadonlyMap<string, BuiltFile>;
  /** The entry script of the cabinet; its name changes with every build. */
  cabinetScript: string;
  pageAssets: PageAssets;
  texts: Readonly<Record<Lang, PublicTexts>>;
  changes: readonly Change[];
  snippets: PublicSnippets;
  /** The documentation, read when somebody first asks for it. */
  readDocs(): DocsBuild;
};

/** An entry of Vite's manifest. */
type ManifestEntry = { file: string; imports?: string[]; css?: string[]; isEntry?: boolean };
type Manifest = Record<string, ManifestEntry | undefined>;

const FOLDER = new URL('../../../../web/dist/', import.meta.url);
/** Keys of the manifest: paths of sources in `web/`. */
const PUBLIC_SOURCE = /^src\/public\/([\w-]+)\.ts$/;
const ICON = 'src/design/icon.svg';
const CABINET = 'index.html';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.ico': 'image/x-icon',
};
/** Those beside the documents are for the server alone. */
const ASSET_TYPES: Record<string, string> = {
  ...TYPES,
  '.json': 'application/json; charset=utf-8',
};

/** Reads the whole build; undefined where nobody has built. */
export function readWebBuild(folder: URL = FOLDER): WebBuild | undefined {
  if (!existsSync(new URL('texts.json', folder))) return undefined;
  const manifest = readJson(folder, '.vite/manifest.json') as Manifest;
  let docs: DocsBuild | undefined;
  return {
    documents: new Map(
      listBuilt(folder, '', TYPES).map((name) => [name, readBuilt(folder, name)] as const),
    ),
    assets: new Map(
      listBuilt(folder, 'assets/', ASSET_TYPES).map(
        (name) => [`/${name}`, readBuilt(folder, name)] as const,
      ),
    ),
    cabinetScript: basename(entryOf(manifest, CABINET).file),
    pageAssets: findPageAssets(manifest),
    texts: readJson(folder, 'texts.json') as WebBuild['texts'],
    changes: readJson(folder, 'changelog.json') as WebBuild['changes'],
    snippets: readJson(folder, 'snippets.json') as WebBuild['snippets'],
    readDocs: () => {
      docs ??= readJson(folder, 'docs.json') as DocsBuild;
      return docs;
    },
  };
}

function listBuilt(folder: URL, under: string, types: Record<string, string>): string[] {
  return readdirSync(new URL(under, folder))
    .filter((name) => extname(name) in types)
    .map((name) => under + name);
}

function readBuilt(folder: URL, name: string): BuiltFile {
  const body = readFileSync(new URL(name, folder));
  const br = readIfThere(new URL(`${name}.br`, folder));
  const gzip = readIfThere(new URL(`${name}.gz`, folder));
  return {
    body,
    type: ASSET_TYPES[extname(name)] as string,
    etag: etagOf(body),
    packed: { ...(br && { br }), ...(gzip && { gzip }) },
  };
}

function readIfThere(file: URL): Buffer | undefined {
  return existsSync(file) ? readFileSync(file) : undefined;
}

function readJson(folder: URL, name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
}

function findPageAssets(manifest: Manifest): PageAssets {
  const entries = new Map<string, EntryAssets>();
  for (const [key, entry] of Object.entries(manifest)) {
    const name = PUBLIC_SOURCE.exec(key)?.[1];
    if (name !== undefined && entry?.isEntry) entries.set(name, findEntryAssets(manifest, key));
  }
  return { icon: toPath(entryOf(manifest, ICON)), entries };
}

function findEntryAssets(manifest: Manifest, key: string): EntryAssets {
  const [entry, ...imported] = withImports(manifest, key);
  const styles = [...imported, entry].flatMap((part) => part?.css ?? []);
  return {
    script: toPath(entryOf(manifest, key)),
    modules: imported.map(toPath),
    styles: [...new Set(styles)].map((file) => `/${file}`),
  };
}

/** An entry, then all that it imports, directly or not. */
function withImports(manifest: Manifest, key: string, seen = new Set<string>()): ManifestEntry[] {
  if (seen.has(key)) return [];
  seen.add(key);
  const entry = entryOf(manifest, key);
  const imported = (entry.imports ?? []).flatMap((name) => withImports(manifest, name, seen));
  return [entry, ...imported];
}

function entryOf(manifest: Manifest, key: string): ManifestEntry {
  const entry = manifest[key];
  if (entry === undefined) throw new Error(`web/dist has no ${key}: run npm run build`);
  return entry;
}

/** What a page needs of its entries. Throws for one that the build does not have. */
export function entryAssets({ entries }: PageAssets, name: string): EntryAssets {
  const found = entries.get(name);
  if (found === undefined) throw new Error(`web/dist has no entry ${name}: run npm run build`);
  return found;
}

function toPath({ file }: ManifestEntry): string {
  return `/${file}`;
}
