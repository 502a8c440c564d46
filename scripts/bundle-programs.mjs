/**
 * The programs that tests start as processes, each with all that it imports in a few files. A start
 * takes half of the time, most of which was the loading of 1,800 modules, and `npm test` starts
 * hundreds.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { root } from './setup.mjs';

const PROGRAMS = {
  main: 'server/src/main.ts',
  'serve-with-simulator': 'server/test/crashes/serve-with-simulator.ts',
};

/** Below node_modules, so that packages which are found at run time are found from there as well. */
const FOLDER = path.join(root, 'node_modules/.cache/programs');

/** Writes the programs, and returns their folder. */
export async function bundlePrograms() {
  const bundle = await rolldown({
    cwd: root,
    input: PROGRAMS,
    platform: 'node',
    // Optional, and not installed.
    external: ['pg-native'],
    plugins: [{ name: 'own-places', transform: keepPlaces }],
    logLevel: 'silent',
  });
  await bundle.write({ dir: FOLDER, format: 'esm', cleanDir: true });
  await bundle.close();
  return FOLDER;
}

/** Code that looks for files beside itself finds them where its source is. */
function keepPlaces(code, id) {
  if (!id.startsWith(root) || !code.includes('import.meta.')) return undefined;
  return code
    .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(id)))
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));
}
