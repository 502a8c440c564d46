import path from 'node:path';

/**
 * The path of a program that a test starts: the bundle that `npm test` has made of it for all rings,
 * or its source when a test file runs by itself. The acceptance tests and the launcher start the
 * source, as users do.
 */
export function bundledProgram(source: string): string {
  const folder = process.env.ZHIBER_TEST_PROGRAMS;
  return folder === undefined ? source : path.join(folder, `${path.parse(source).name}.js`);
}
