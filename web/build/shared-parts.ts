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
const ICON = /\/lucide-react\/dist\/esm\/icons\/([\w-]+)\.mjs$/;

/**
 * The files that several pages share. Left alone, Rolldown cuts what `/try` and the cabinet share
 * into forty small files, which load slowly and pack badly. A module goes to the first group by
 * priority: what the public pages need stays apart from the rest, for which they have no use.
 */
export const SHARED_PARTS = [
  { name: 'react', test: /\/node_modules\/(?:react|react-dom|scheduler)\//, priority: 4 },
  { ...importedBy('src/public/pages.ts', 'public-parts'), priority: 3 },
  // The documentation shares these two with the cabinet and `/try`, and nothing else.
  { name: 'snippets', test: /\/src\/snippets\/(?:code-language|snippets)\.ts$/, priority: 3 },
  { ...importedBy('src/playground/try-main.tsx', 'parts'), priority: 2 },
  // What the cabinet loads first stays in one file, whichever later pages use pieces of it.
  { ...importedBy('src/main.tsx', 'first-parts'), priority: 1 },
  { name: 'icons', test: ICON, priority: 0 },
];

/** The modules that an entry imports, directly or not. The playground itself is not shared. */
function importedBy(entryName: string, debugName: string) {
  const entry = idOf(entryName);
  const name = (id: string, graph: ModuleGraph) => {
    if (id === entry || id.endsWith('.css') || id.startsWith(PLAYGROUND)) return null;
    const found = new Set([entry]);
    const icons = new Set<string>();
    for (const known of found) {
      if (known.startsWith(SOURCES)) for (const icon of iconsIn(known)) icons.add(icon);
      for (const imported of graph.getModuleInfo(known)?.importedIds ?? []) {
        // The module of all icons imports those of every page.
        if (!ICON.test(imported)) found.add(imported);
      }
    }
    const icon = ICON.exec(id)?.[1];
    return (icon === undefined ? found.has(id) : icons.has(icon)) ? debugName : null;
  };
  return { name, debugName };
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
