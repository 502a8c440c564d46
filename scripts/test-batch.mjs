/**
 * Several test files in one process, one after another. Loading the service takes a second of one
 * core, as long as most files take for their tests, and is done once for all of them. Each file is
 * a suite, so that its hooks run for its own tests alone.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, suite } from 'node:test';
import { pathToFileURL } from 'node:url';
import { noteFile } from './note-running.mjs';
import { root } from './setup.mjs';

/**
 * Writes test files that run up to `size` of the files each, and returns what is to be run. Files
 * that change or measure their process (`except`) keep one of their own.
 */
export function writeBatches(files, { folder, size, except = [] }) {
  const shared = files.filter((file) => !except.includes(file));
  const batches = Array.from({ length: Math.ceil(shared.length / size) }, (_, index) => {
    const written = path.join(folder, `batch-${index}.test.mjs`);
    const names = JSON.stringify(shared.slice(index * size, (index + 1) * size));
    const program = `import { runBatch } from ${JSON.stringify(import.meta.url)};\nawait runBatch(${names});\n`;
    writeFileSync(written, program);
    return written;
  });
  return [...batches, ...files.filter((file) => except.includes(file))];
}

export async function runBatch(files) {
  for (const file of files) {
    // A test belongs to the suite that is being built when its file is loaded, so the next file
    // waits for this one.
    await new Promise((resolve) => {
      suite(file, async () => {
        before(() => noteFile(file));
        await import(pathToFileURL(path.resolve(root, file))).finally(resolve);
      });
    });
  }
}
