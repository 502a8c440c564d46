/**
 * The architecture as rules over source text. Each rule takes one file, or a list of names, and
 * gives the sentences that say what is wrong with it; `structure.test.ts` applies them to the tree.
 */
import path from 'node:path';

export type SourceFile = { path: string; text: string };

/** From the top to the bottom. A folder or file may import only from lines below its own. */
const RANKS = [
  ['main'],
  ['cli'],
  ['app'],
  ['http', 'jobs'],
  ['people'],
  ['otp', 'broadcasts'],
  ['links', 'group', 'webhooks', 'status', 'history'],
  ['delivery', 'company'],
  ['billing', 'mail'],
  ['keys'],
  ['limits', 'guard', 'sandbox', 'contacts', 'audit'],
  ['context'],
  ['background'],
  ['channels', 'payments'],
  ['db', 'config'],
];
/** Any other file directly in server/src is a word that everybody may use. */
const VOCABULARY_RANK = RANKS.length;

const BANNED = 'utils helpers common shared misc manager base data info process'.split(' ');
/** These say nothing even as a part of a longer name. */
const BANNED_PARTS = ['util', 'utils', 'helper', 'helpers', 'misc'];

const SQL =
  /(['"`])\s*(?:select\s(?:(?!\1)[\s\S])*?(?:\bfrom\b|\()|insert into\s|update\s+[\w."]+(?:\s+(?:as\s+)?\w+)?\s+set\s|delete from\s|with\s+(?:recursive\s+)?\w+(?:\s*\([\w\s,]*\))?\s+as\s)/;

export const RULES: ((file: SourceFile) => string[])[] = [
  ranks,
  fastifyOnlyInHttp,
  sqlOnlyInStores,
  environmentOnlyInConfig,
  contractStandsAlone,
  acceptanceIsBlackBox,
  cabinetImports,
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
    // The manifest is where the version number lives, and no code.
    if (!specifier.startsWith('.') || specifier.endsWith('/package.json')) return [];
    const to = placeOf(path.posix.join(path.posix.dirname(file.path), specifier));
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
  // A folder has to be given its rank before it can be used.
  const isFolder = /^server\/src\/[^/]+\//.test(file);
  return { name, rank: isFolder ? -1 : VOCABULARY_RANK };
}

function importsOf(file: SourceFile): string[] {
  const code = withoutComments(file.text);
  const found = code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*(['"])([^'"\n]+)\1/g);
  return [...found].map((match) => match[2] as string);
}

/** Comments stand on lines of their own here, so whole lines are enough. */
function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(?:\/\/|\/\*|\*).*$/gm, '');
}

/** Text that is only shown, such as an example for readers; what a template computes stays. */
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

function environmentOnlyInConfig(file: SourceFile): string[] {
  if (!isServerSource(file) || /^server\/src\/(config|main)\.ts$/.test(file.path)) return [];
  const isFound = withoutStrings(withoutComments(file.text)).includes('process.env');
  return isFound ? ['reads the environment, which only config.ts and main.ts may'] : [];
}

function contractStandsAlone(file: SourceFile): string[] {
  if (!file.path.startsWith('contract/')) return [];
  return importsOf(file)
    .filter((name) => {
      if (/^typebox(\/|$)/.test(name) || (isTest(file) && name.startsWith('node:'))) return false;
      if (!name.startsWith('.')) return true;
      const target = path.posix.join(path.posix.dirname(file.path), name);
      return !target.startsWith('contract/');
    })
    .map((name) => `imports ${name}; the contract imports typebox and itself`);
}

function acceptanceIsBlackBox(file: SourceFile): string[] {
  if (!file.path.startsWith('acceptance/')) return [];
  const found = importsOf(file).filter((name) => /^@zhiber\/server|(^|\/)server\//.test(name));
  return found.map((name) => `imports ${name}; acceptance sees the server over HTTP alone`);
}

/** What every page of the cabinet may use; any other folder of it is a group of pages. */
const CABINET_PARTS = ['ui', 'app', 'format', 'texts', 'theme'];
/** The one place that knows the pages; a page that knew it would know all the others. */
const CABINET_ROUTES = /^cabinet\/src\/app\/(routes|router)\.tsx?$/;
/** Code of the server that asks for nothing but text, so that a browser can run it as well. */
const BROWSER_CODE = [
  'server/src/http/pages/assets/',
  'server/src/http/pages/texts/',
  'server/src/delivery/message-text.ts',
  'server/src/channels/sms/sms-parts.ts',
];

function cabinetImports(file: SourceFile): string[] {
  if (!file.path.startsWith('cabinet/src/')) return [];
  const own = cabinetFolder(file.path);
  return importsOf(file).flatMap((name) => {
    if (name.startsWith('node:') && !isTest(file)) return [`imports ${name}, which no browser has`];
    if (!name.startsWith('.')) return [];
    const target = path.posix.join(path.posix.dirname(file.path), name);
    if (!target.startsWith('cabinet/')) {
      return BROWSER_CODE.some((place) => target.startsWith(place))
        ? []
        : [`imports ${name}; the cabinet takes only browser code`];
    }
    const folder = cabinetFolder(target);
    if (CABINET_ROUTES.test(target) && own !== 'app' && own !== undefined) {
      return [`imports ${name}, and with it every other page`];
    }
    const isPage = folder !== undefined && !CABINET_PARTS.includes(folder);
    if (!isPage || folder === own || CABINET_ROUTES.test(file.path)) return [];
    return [`imports ${name}: a page is opened by its route and known to nobody else`];
  });
}

function cabinetFolder(file: string): string | undefined {
  return /^cabinet\/src\/([^/]+)\//.exec(file)?.[1];
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

/**
 * Migrations are applied in the order of their numbers: a gap or a double is a merge gone wrong.
 */
export function checkMigrations(fileNames: string[]): string[] {
  return fileNames.toSorted().flatMap((name, i) => {
    const number = String(i + 1).padStart(4, '0');
    const isGood = name.startsWith(`${number}-`) && /^\d{4}-[a-z0-9-]+\.sql$/.test(name);
    return isGood ? [] : [`${name}: should be ${number}-<subject>.sql`];
  });
}
