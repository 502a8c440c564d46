import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

type ModuleGraph = {
  getModuleInfo: (id: string) => { importedIds: readonly string[] } | null;
};

/** As Vite writes the path of a module, also on Windows. */
const idOf = (name: string) => path.join(import.meta.dirname, '..', name).replaceAll('\\', '/');
const SOURCES = idOf('src/');
const PLAYGROUND = idOf('src/playground/');
const PUBLIC = idOf('src/public/pages.ts');
const TRY = idOf('src/playground/try-main.tsx');
const CABINET = idOf('src/main.tsx');
const ICON = /\/lucide-react\/dist\/esm\/icons\/([\w-]+)\.mjs$/;
const SNIPPETS = /\/src\/snippets\/(?:code-language|snippets)\.ts$/;
/** Words that the texts of all languages are made with, on `/try` too, and in the cabinet alone. */
const WORDS = /\/(?:texts\/(?:capitalise|plural)\.ts|contract\/src\/cabinet\/message-texts\.ts)$/;
const CABINET_WORDS = /\/contract\/src\/cabinet\/ledger-words\.ts$/;

/**
 * The files that several pages share. Left alone, Rolldown cuts what the pages share into a hundred
 * small files, which load slowly and pack badly. A module goes to the first group by priority.
 */
export const SHARED_PARTS = [
  {
    name: 'react',
    test: /\/node_modules\/(?:react|react-dom|scheduler)\/|rolldown\/runtime/,
    priority: 9,
  },
  // What the cabinet, `/try` and the public pages have in common is small, and loaded by all.
  group('every-page', (id, graph) => isImportedBy(id, [PUBLIC, TRY, CABINET], graph), 8),
  // The examples of code, which the documentation and `/try` show.
  group('snippets', (id, graph) => SNIPPETS.test(id) || isImportedBy(id, [PUBLIC, TRY], graph), 8),
  // The pages that the server renders need none of the rest.
  group('public-parts', (id, graph) => isImportedBy(id, [PUBLIC], graph), 7),
  // What the cabinet and `/try` load first.
  group('parts', (id, graph) => WORDS.test(id) || isImportedBy(id, [TRY, CABINET], graph), 6),
  // What the cabinet loads first stays in one file, whichever later pages use pieces of it.
  group(
    'first-parts',
    (id, graph) => CABINET_WORDS.test(id) || isImportedBy(id, [CABINET], graph),
    5,
  ),
  group('try-parts', (id, graph) => isImportedBy(id, [TRY], graph), 4),
  { name: 'icons', test: ICON, priority: 2 },
  // Of the playground, what `/try` shares with pages of the cabinet.
  {
    ...group('playground-parts', (id, graph) => isOfTry(id, graph), 2),
    minShareCount: 2,
  },
  // What several pages of the cabinet share. The texts of each language stay apart.
  {
    name: 'page-parts',
    test: /\/(?:web\/src\/(?!texts\/|admin\/|docs\/|public\/)|contract\/src\/)[^?]*\.tsx?$/,
    minShareCount: 3,
    priority: 1,
  },
];

function group(
  groupName: string,
  isMember: (id: string, graph: ModuleGraph) => boolean,
  priority: number,
) {
  const name = (id: string, graph: ModuleGraph) => (isMember(id, graph) ? groupName : null);
  return { name, debugName: groupName, priority };
}

/** Whether it is a part of the playground that `/try` loads. */
function isOfTry(id: string, graph: ModuleGraph): boolean {
  return id.startsWith(PLAYGROUND) && !id.endsWith('.css') && reachOf(TRY, graph).modules.has(id);
}

/** Whether every one of the entries imports the module, directly or not. */
function isImportedBy(id: string, entries: readonly string[], graph: ModuleGraph): boolean {
  // The playground itself is a page, which the cabinet loads later.
  if (entries.includes(id) || id.endsWith('.css') || id.startsWith(PLAYGROUND)) return false;
  const icon = ICON.exec(id)?.[1];
  return entries.every((entry) => {
    const { modules, icons } = reachOf(entry, graph);
    return icon === undefined ? modules.has(id) : icons.has(icon);
  });
}

/** All that an entry imports, and the icons that its modules name. */
function reachOf(entry: string, graph: ModuleGraph) {
  const modules = new Set([entry]);
  const icons = new Set<string>();
  for (const known of modules) {
    if (known.startsWith(SOURCES)) for (const icon of iconsIn(known)) icons.add(icon);
    for (const imported of graph.getModuleInfo(known)?.importedIds ?? []) {
      // The module of all icons imports those of every page.
      if (!ICON.test(imported)) modules.add(imported);
    }
  }
  return { modules, icons };
}

const iconsByModule = new Map<string, readonly string[]>();

/** The files of the icons that a module names. */
function iconsIn(id: string): readonly string[] {
  const known = iconsByModule.get(id);
  if (known !== undefined) return known;
  const names = [...readFileSync(id, 'utf8').matchAll(/\{([^}]*)\} from 'lucide-react'/g)].flatMap(
    ([, list = '']) => list.split(',').map((name) => name.trim()),
  );
  const files = names.flatMap((name) => iconFiles().get(name) ?? []);
  iconsByModule.set(id, files);
  return files;
}

let filesByIcon: Map<string, string> | undefined;

/** The file of each icon, by all its names. */
function iconFiles(): Map<string, string> {
  if (filesByIcon !== undefined) return filesByIcon;
  const folder = path.dirname(createRequire(import.meta.url).resolve('lucide-react/package.json'));
  const index = readFileSync(path.join(folder, 'dist/esm/lucide-react.mjs'), 'utf8');
  filesByIcon = new Map();
  for (const [, names = '', file = ''] of index.matchAll(
    /export \{([^}]*)\} from '\.\/icons\/([\w-]+)\.mjs'/g,
  )) {
    for (const [, name = ''] of names.matchAll(/default as (\w+)/g)) filesByIcon.set(name, file);
  }
  return filesByIcon;
}
