/**
 * The programs that tests start as processes, each with all that it imports in a few files. A start
 * takes half of the time, most of which was the loading of 1,800 modules, and `npm test` starts
 * hundreds.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
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
  // Without it each file is parsed twice, to find out that it is a module.
  writeFileSync(path.join(FOLDER, 'package.json'), '{ "type": "module" }');
  return FOLDER;
}

/** Programs that the server starts by their place. */
const STARTED_BY_SERVER = [
  'server/src/accounts/hash-process.ts',
  'server/src/broadcasts/rows/xlsx-thread.ts',
  'server/src/pdf/draw-thread.ts',
];

/**
 * The programs of this version and its schema, without packages, as texts by path. Written to a
 * folder below node_modules, `programs/main.js` is the server of this version.
 */
export async function bundleRelease() {
  const started = Object.fromEntries(
    STARTED_BY_SERVER.map((file) => [path.parse(file).name, file]),
  );
  const bundle = await rolldown({
    cwd: root,
    input: { ...PROGRAMS, ...started },
    platform: 'node',
    // What the bundler itself adds is no package of ours, and not installed.
    external: (id) => /^(?!@zhiber\/|@oxc-project\/)[@a-z]/.test(id),
    plugins: [{ name: 'movable-places', transform: makePlacesMovable }],
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({
    format: 'esm',
    chunkFileNames: '[name]-[hash].js',
    // Names stay, for readers of a failure.
    minify: { compress: false, mangle: false },
  });
  await bundle.close();
  return Object.fromEntries([
    ['package.json', '{ "type": "module" }'],
    ...output.map(({ fileName, code }) => [`programs/${fileName}`, code]),
    ...STARTED_BY_SERVER.map((file) => [file, importFrom(file)]),
    ...globSync('server/schema/*/*.sql', { cwd: root }).map((file) => [
      file,
      readFileSync(path.join(root, file), 'utf8'),
    ]),
  ]);
}

function importFrom(file) {
  const { dir, name } = path.parse(file);
  return `import '${path.posix.relative(dir, `programs/${name}.js`)}';\n`;
}

/** Code that looks for files beside itself finds them in the folder that the release is written to. */
function makePlacesMovable(code, id) {
  if (!id.startsWith(root) || !code.includes('import.meta.')) return undefined;
  const place = path.posix.join('..', path.relative(root, id));
  return code
    .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${path.posix.dirname(place)}')`)
    .replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`);
}

/** Code that looks for files beside itself finds them where its source is. */
function keepPlaces(code, id) {
  if (!id.startsWith(root) || !code.includes('import.meta.')) return undefined;
  return code
    .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(id)))
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));
}
