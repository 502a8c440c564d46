/** Plants a fault in the source while Node loads it. The files are not changed. */
import { registerHooks } from 'node:module';
import { type Patch, PLANTED_FAULTS } from './planted-faults.ts';

const SOURCE = new URL('../../src/', import.meta.url).href;

/** Returns a function that tells whether every patch of the fault has been applied. */
export function plantFault(name: string | undefined): () => boolean {
  if (name === undefined) return () => true;
  const fault = PLANTED_FAULTS.find((candidate) => candidate.name === name);
  if (fault === undefined) throw new Error(`there is no fault called ${name}`);
  const pending = new Set<Patch>(fault.source ?? []);
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      for (const patch of fault.source ?? []) {
        if (url !== `${SOURCE}${patch.file}`) continue;
        loaded.source = replaceOnce(String(loaded.source), patch);
        pending.delete(patch);
      }
      return loaded;
    },
  });
  return () => pending.size === 0;
}

/** Throws when the source no longer contains the text, so that the fault gets adapted. */
export function replaceOnce(text: string, { find, put }: Pick<Patch, 'find' | 'put'>): string {
  const parts = text.split(find);
  if (parts.length !== 2) throw new Error(`found ${parts.length - 1} times: ${find}`);
  return parts.join(put);
}
