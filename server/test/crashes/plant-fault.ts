/** Puts a planted fault into the source as it is loaded; the files themselves are not touched. */
import { registerHooks } from 'node:module';
import { type Patch, PLANTED_FAULTS } from './planted-faults.ts';

const SOURCE = new URL('../../src/', import.meta.url).href;

/** Tells later whether everything was planted: a patch that met no file proves nothing. */
export function plantFault(name: string | undefined): () => boolean {
  if (name === undefined) return () => true;
  const fault = PLANTED_FAULTS.find((candidate) => candidate.name === name);
  if (fault === undefined) throw new Error(`there is no fault called ${name}`);
  const waiting = new Set<Patch>(fault.source ?? []);
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      for (const patch of fault.source ?? []) {
        if (url !== `${SOURCE}${patch.file}`) continue;
        loaded.source = replaceOnce(String(loaded.source), patch);
        waiting.delete(patch);
      }
      return loaded;
    },
  });
  return () => waiting.size === 0;
}

/** The text has moved on when the place is not there, and then the fault must be planted anew. */
export function replaceOnce(text: string, { find, put }: Pick<Patch, 'find' | 'put'>): string {
  const parts = text.split(find);
  if (parts.length !== 2) throw new Error(`found ${parts.length - 1} times: ${find}`);
  return parts.join(put);
}
