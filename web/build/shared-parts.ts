import path from 'node:path';

type ModuleGraph = {
  getModuleInfo: (id: string) => { importedIds: readonly string[] } | null;
};

/** As Vite writes the path of a module, also on Windows. */
const idOf = (name: string) => path.join(import.meta.dirname, '..', name).replaceAll('\\', '/');
const PLAYGROUND = idOf('src/playground/');

/**
 * The files that several pages share. Left alone, Rolldown cuts what `/try` and the cabinet share
 * into forty small files, which load slowly and pack badly. A module goes to the first group by
 * priority: what the public pages need stays apart from the rest, for which they have no use.
 */
export const SHARED_PARTS = [
  { name: 'react', test: /\/node_modules\/(?:react|react-dom|scheduler)\//, priority: 3 },
  { ...importedBy('src/public/pages.ts', 'public-parts'), priority: 2 },
  { ...importedBy('src/playground/try-main.tsx', 'parts'), priority: 1 },
  // What the cabinet loads first stays in one file, whichever later pages use pieces of it.
  { ...importedBy('src/main.tsx', 'first-parts'), priority: 0 },
];

/** The modules that an entry imports, directly or not. The playground itself is not shared. */
function importedBy(entryName: string, debugName: string) {
  const entry = idOf(entryName);
  const name = (id: string, graph: ModuleGraph) => {
    if (id === entry || id.endsWith('.css') || id.startsWith(PLAYGROUND)) return null;
    const found = new Set([entry]);
    for (const known of found) {
      for (const imported of graph.getModuleInfo(known)?.importedIds ?? []) found.add(imported);
    }
    return found.has(id) ? debugName : null;
  };
  return { name, debugName };
}
