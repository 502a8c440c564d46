/**
 * The architecture as rules over source text. Each rule takes one file, or a list of names, and
 * returns a sentence per violation; `structure.test.ts` applies the rules to the repository.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

export type SourceFile = { path: string; text: string };

/** From the top to the bottom. A folder or file may import only from lines below its own. */
const RANKS = [
  ['main'],
  ['cli'],
  ['app'],
  ['http', 'jobs', 'memory'],
  ['operators', 'demo', 'backups'],
  ['accounts'],
  ['otp', 'broadcasts', 'groups', 'alerts', 'papers'],
  ['ledger'],
  ['links', 'webhooks', 'status', 'messages'],
  ['delivery', 'installation'],
  ['topups'],
  ['company'],
  ['billing', 'idempotency', 'mail'],
  ['context'],
  ['abuse', 'keys', 'sandbox', 'contacts'],
  ['audit-log'],
  ['payments'],
  ['channels', 'pdf'],
  ['db', 'config'],
  ['runtime'],
];
/** Any other file directly in server/src is vocabulary, which every folder may import. */
const VOCABULARY_RANK = RANKS.length;

const BANNED = 'utils helpers common shared misc manager base data info process'.split(' ');
/** Meaningless even as a part of a longer name. */
const BANNED_PARTS = ['util', 'utils', 'helper', 'helpers', 'misc'];

const SQL =
  /(['"`])\s*(?:select\s(?:(?!\1)[\s\S])*?(?:\bfrom\b|\()|insert into\s|update\s+[\w."]+(?:\s+(?:as\s+)?\w+)?\s+set\s|delete from\s|with\s+(?:recursive\s+)?\w+(?:\s*\([\w\s,]*\))?\s+as\s)/;

export const RULES: ((file: SourceFile) => string[])[] = [
  ranks,
  fastifyOnlyInHttp,
  sqlOnlyInStores,
  storesBehindUseCases,
  environmentOnlyInMain,
  contractStandsAlone,
  acceptanceIsBlackBox,
  clientsStandAlone,
  webStandsAlone,
  serverReadsTheBuild,
  webPackagesAreDeclared,
  webPages,
  names,
  leftovers,
];

export function check(file: SourceFile): string[] {
  return RULES.flatMap((rule) => rule(file)).map((problem) => `${file.path}: ${problem}`);
}

function ranks(file: SourceFile): string[] {
  const from = placeOf(file.path);
  if (from === undefined) return [];
  return importsOf(file).flatMap((specifier) => {
    // Only the version number is read from the manifest.
    if (!specifier.startsWith('.') || specifier.endsWith('/package.json')) return [];
    const to = placeOf(targetOf(file, specifier));
    if (to === undefined) return [`imports ${specifier}, which is outside server/src`];
    if (to.name === from.name || (to.rank === from.rank && to.rank === VOCABULARY_RANK)) return [];
    if (to.rank > from.rank) return [];
    const direction = to.rank === from.rank ? 'sideways' : 'up';
    return [`imports ${specifier}: ${from.name} to ${to.name} goes ${direction}`];
  });
}

function placeOf(file: string): { name: string; rank: number } | undefined {
  const name = /^server\/src\/([^/.]+)/.exec(file)?.[1];
  if (name === undefined) return undefined;
  const rank = RANKS.findIndex((names) => names.includes(name));
  if (rank >= 0) return { name, rank };
  // An unknown folder ranks above everything, so nothing can import it before it has a rank.
  const isFolder = /^server\/src\/[^/]+\//.test(file);
  return { name, rank: isFolder ? -1 : VOCABULARY_RANK };
}

function importsOf(file: SourceFile): string[] {
  const code = withoutComments(file.text);
  const found = code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*(['"])([^'"\n]+)\1/g);
  return [...found].map((match) => match[2] as string);
}

/** Removes whole comment lines only: the code has few comments at line ends. */
function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(?:\/\/|\/\*|\*).*$/gm, '');
}

/** Removes string literals, such as code examples, but keeps the expressions inside templates. */
function withoutStrings(code: string): string {
  return code
    .replaceAll(/'(?:\\.|[^'\\\n])*'/g, "''")
    .replaceAll(/`(?:\\.|[^`\\])*`/g, (text) => (text.match(/\$\{[^}]*\}/g) ?? []).join());
}

function fastifyOnlyInHttp(file: SourceFile): string[] {
  if (!isServerSource(file) || file.path.startsWith('server/src/http/')) return [];
  const found = importsOf(file).filter((name) => /^@?fastify\b/.test(name));
  return found.map((name) => `imports ${name}, which only http/ may`);
}

function sqlOnlyInStores(file: SourceFile): string[] {
  if (!isServerSource(file) || isTest(file)) return [];
  if (file.path.endsWith('-store.ts') || file.path.startsWith('server/src/db/')) return [];
  const code = withoutComments(file.text);
  return /\.query[(<]/.test(code) || SQL.test(code)
    ? ['holds SQL, which belongs in a -store.ts file']
    : [];
}

/** Type imports from a store are allowed. */
function storesBehindUseCases(file: SourceFile): string[] {
  if (!file.path.startsWith('server/src/http/') || isTest(file)) return [];
  const found = withoutComments(file.text).matchAll(
    /^import (?!type )[^;]*? from '([^']+-store\.ts)';/gm,
  );
  return [...found].map(([, name]) => `imports ${name}; http calls a use case`);
}

function environmentOnlyInMain(file: SourceFile): string[] {
  if (!isServerSource(file) || file.path === 'server/src/main.ts') return [];
  const isFound = withoutStrings(withoutComments(file.text)).includes('process.env');
  return isFound ? ['reads the environment, which only main.ts may'] : [];
}

function contractStandsAlone(file: SourceFile): string[] {
  if (!file.path.startsWith('contract/')) return [];
  return importsOf(file)
    .filter((name) => {
      if (/^typebox(\/|$)/.test(name) || (isTest(file) && !name.startsWith('.'))) return false;
      return !targetOf(file, name).startsWith('contract/');
    })
    .map((name) => `imports ${name}; the contract imports typebox and itself`);
}

function acceptanceIsBlackBox(file: SourceFile): string[] {
  if (!file.path.startsWith('acceptance/')) return [];
  const found = importsOf(file).filter((name) => /^@zhiber\/server|(^|\/)server\//.test(name));
  return found.map((name) => `imports ${name}; acceptance sees the server over HTTP alone`);
}

/** What is published, and what readers copy: clients bring no packages, examples only their own. */
function clientsStandAlone(file: SourceFile): string[] {
  const isClient = file.path.startsWith('sdk/node/src/');
  const folder = isClient ? 'sdk/node/src/' : /^examples\/[^/]+\//.exec(file.path)?.[0];
  if (folder === undefined) return [];
  return importsOf(file).flatMap((name) => {
    const isForeign = isClient ? !/^(node:|\.)/.test(name) : /^@zhiber\/(?!sdk$)/.test(name);
    if (!isForeign && isWithin(folder, file, name)) return [];
    return [
      `imports ${name}; ${isClient ? 'the client has no dependencies' : 'nobody who copies it has that'}`,
    ];
  });
}

/** The browser's code imports the contract, packages and itself; also from styles and documents. */
function webStandsAlone(file: SourceFile): string[] {
  if (!file.path.startsWith('web/')) return [];
  const isForBrowsers = file.path.startsWith('web/src/') && !isTest(file);
  return [...importsOf(file), ...addressesOf(file)].flatMap((name) => {
    if (isForBrowsers && name.startsWith('node:')) return [`imports ${name}, which no browser has`];
    const isOutside = /^@zhiber\/(?!contract\/)/.test(name) || !isWithin('web/', file, name);
    return isOutside ? [`takes ${name}; web/ takes the contract and itself`] : [];
  });
}

/** What a style sheet or a document loads by its address. */
function addressesOf({ path: name, text }: SourceFile): string[] {
  const pattern = name.endsWith('.css')
    ? /\burl\(\s*["']?([^"')]+)/g
    : name.endsWith('.html')
      ? /\b(?:src|href)="([^"]+)"/g
      : undefined;
  return pattern === undefined
    ? []
    : [...text.matchAll(pattern)].map((match) => match[1] as string);
}

/** `npm start` builds the pages with what `web/` declares, and with no tools of the repository. */
function webPackagesAreDeclared(file: SourceFile): string[] {
  if (!file.path.startsWith('web/build/') || file.path.endsWith('.test.ts')) return [];
  const declared = ['web', 'contract'].flatMap(readDependencies);
  return importsOf(file)
    .filter((name) => /^[@a-z]/.test(name) && !/^(?:node:|virtual:|@zhiber\/)/.test(name))
    .filter((name) => !declared.some((known) => name === known || name.startsWith(`${known}/`)))
    .map((name) => `imports ${name}, which web/package.json does not declare`);
}

function readDependencies(workspace: string): string[] {
  const manifest = new URL(`../../${workspace}/package.json`, import.meta.url);
  const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return Object.keys(dependencies);
}

function serverReadsTheBuild(file: SourceFile): string[] {
  // The tests of the documentation run the snippets that its pages show.
  const isExempt = file.path.startsWith('server/test/docs/');
  if (!file.path.startsWith('server/') || isExempt) return [];
  const found = importsOf(file).filter(
    (name) => name.startsWith('@zhiber/web') || targetOf(file, name).startsWith('web/'),
  );
  return found.map((name) => `imports ${name}; the server reads what was built in web/dist`);
}

/** A relative path stays below the folder; any other is a package or an address of the site. */
function isWithin(folder: string, file: SourceFile, name: string): boolean {
  return !name.startsWith('.') || targetOf(file, name).startsWith(folder);
}

/** The file that a relative import means; of any other, the import itself. */
function targetOf(file: SourceFile, name: string): string {
  return name.startsWith('.') ? path.posix.join(path.posix.dirname(file.path), name) : name;
}

/** Folders of web/src that every page may import. Every other folder is a group of pages. */
const WEB_PARTS = ['ui', 'app', 'design', 'snippets', 'texts'];
/** The only files that import pages. A page that imported them would import all other pages. */
const WEB_ROUTES = /^web\/src\/app\/(routes|router)\.tsx?$/;

function webPages(file: SourceFile): string[] {
  if (!file.path.startsWith('web/src/')) return [];
  const own = webFolder(file.path);
  return importsOf(file).flatMap((name) => {
    const target = targetOf(file, name);
    const folder = webFolder(target);
    if (WEB_ROUTES.test(target) && own !== 'app' && own !== undefined) {
      return [`imports ${name}, and with it every other page`];
    }
    const isPage = folder !== undefined && !WEB_PARTS.includes(folder);
    if (!isPage || folder === own || WEB_ROUTES.test(file.path)) return [];
    return [`imports ${name}: only the routes import pages`];
  });
}

function webFolder(file: string): string | undefined {
  return /^web\/src\/([^/]+)\//.exec(file)?.[1];
}

function names(file: SourceFile): string[] {
  const segments = file.path.split('/').slice(1);
  const problems = segments.flatMap((segment) => {
    const [word = ''] = segment.split('.');
    const isBad =
      BANNED.includes(word) || word.split('-').some((part) => BANNED_PARTS.includes(part));
    return isBad ? [`is named ${segment}, which says nothing`] : [];
  });
  if (path.posix.basename(file.path) === 'index.ts') problems.push('is a barrel');
  return problems;
}

function leftovers(file: SourceFile): string[] {
  const found = /\b(?:FIX|TO)(?:ME|DO)\b/.exec(file.text);
  return found === null ? [] : [`has a ${found[0]}`];
}

function isServerSource(file: SourceFile): boolean {
  return file.path.startsWith('server/src/');
}

function isTest(file: SourceFile): boolean {
  return file.path.endsWith('.test.ts');
}

/** Finds import cycles, type imports included. */
export function findCycles(files: readonly SourceFile[]): string[] {
  const known = new Set(files.map((file) => file.path));
  const imports = new Map(
    files.map((file) => [file.path, importsOf(file).map((name) => targetOf(file, name))]),
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, trail: readonly string[]) => {
    const start = trail.indexOf(file);
    if (start >= 0) cycles.push([...trail.slice(start), file].join(' -> '));
    if (start >= 0 || done.has(file)) return;
    for (const next of imports.get(file) ?? []) {
      if (known.has(next)) visit(next, [...trail, file]);
    }
    done.add(file);
  };
  for (const file of known) visit(file, []);
  return cycles;
}

/**
 * Migrations have the numbers of their order, and perhaps a kind (server/schema/README.md). A gap or a
 * duplicate is a merge error.
 */
export function checkMigrations(fileNames: string[]): string[] {
  return fileNames.toSorted().flatMap((name, i) => {
    const number = String(i + 1).padStart(4, '0');
    const isGood =
      name.startsWith(`${number}-`) &&
      /^\d{4}-[a-z0-9-]+(\.(concurrently|contract))?\.sql$/.test(name);
    return isGood ? [] : [`${name}: should be ${number}-<subject>.sql`];
  });
}

/** The platforms that the README promises. npm may lock only the one it was run on. */
const PLATFORMS = ['linux x64', 'linux arm64', 'darwin x64', 'darwin arm64', 'win32 x64'] as const;
const PLATFORM_NAME = /(?:linux|darwin|win32|windows)/;

export type LockedPackage = {
  optionalDependencies?: Record<string, string>;
  os?: string[];
  cpu?: string[];
};

/** Checks that packages with one binary per platform are locked for every promised platform. */
export function checkLock(packages: Readonly<Record<string, LockedPackage>>): string[] {
  return Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) => {
    // The Node packages have no build for macOS, where an installed Node 24 is required.
    const names = Object.keys(optionalDependencies).filter(
      (name) => PLATFORM_NAME.test(name) && !name.startsWith('node-'),
    );
    if (names.length < 2) return [];
    const locked = names.flatMap((name) => {
      const found = packages[`${place}/node_modules/${name}`] ?? packages[`node_modules/${name}`];
      return found === undefined ? [] : [found];
    });
    const missing = PLATFORMS.filter((platform) => {
      const [os = '', cpu = ''] = platform.split(' ');
      return !locked.some((entry) => entry.os?.includes(os) && entry.cpu?.includes(cpu));
    });
    return missing.map((platform) => `${place} is not locked for ${platform}`);
  });
}

/** A test file in backquotes, then the names of its tests, or groups of tests, in italics. */
const NAMED_TESTS = /`([^`]+)`((?:,? \*[^*]+\*)*)/g;

/**
 * The last column of the tables of attacks names the tests that show what a row says. A name that
 * ends with … is the beginning of one, because some names are put together.
 */
export function checkAttacks(document: string, files: readonly SourceFile[]): string[] {
  const section = document.split('\n## ').find((text) => text.startsWith('Attacks\n'));
  const rows = section?.match(/^\| (?!tried \|).*$/gm);
  if (!rows) return ['there is no table of attacks'];
  return rows.flatMap((row) => {
    const [, attack = '', , tests = '', ...more] = row.split('|').map((cell) => cell.trim());
    const named = [...tests.matchAll(NAMED_TESTS)];
    const isRead = tests.replaceAll(NAMED_TESTS, '').replaceAll('; ', '') === '';
    if (named.length === 0 || !isRead || more.length !== 1) {
      return [`${attack}: its tests cannot be read`];
    }
    return named.flatMap(([, file = '', names = '']) => {
      const source = files.find((one) => one.path === file)?.text;
      if (source === undefined) return [`${attack}: there is no ${file}`];
      return [...names.matchAll(/\*([^*]+)\*/g)]
        .filter(([, name = '']) => !hasTest(source, name))
        .map(([, name]) => `${attack}: ${file} has no test "${name}"`);
    });
  });
}

function hasTest(source: string, name: string): boolean {
  const calls = source.replaceAll(/\b(?:test|describe)\(\s*/g, 'test(');
  return ["'", '"', '`'].some((quote) =>
    calls.includes(`test(${quote}${name}${quote}`.replace(/….$/, '')),
  );
}
