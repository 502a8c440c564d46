import type { Lang } from '@zhiber/contract/languages.ts';
import { importPart } from '../app/lazy-page.tsx';
import { useLang } from './use-texts.tsx';

/** Texts that the first pages do not need. */
export type LazyTexts<Texts> = {
  /** Loads them once; after a failure, once more. */
  load(lang: Lang): Promise<Texts>;
  /** For components, which suspend until the texts are loaded. */
  read(lang: Lang): Texts;
};
type Loading<Texts> = { promise: Promise<Texts>; texts?: Texts; failure?: unknown };

const forgetters = new Set<() => void>();

/** What could not be loaded is loaded again by the next component that reads it. */
export function forgetFailedTexts(): void {
  for (const forget of forgetters) forget();
}

/** `name` is what the file of each language exports. */
export function createLazyTexts<Name extends string, Texts>(
  importers: Record<Lang, () => Promise<Record<Name, Texts>>>,
  name: Name,
): LazyTexts<Texts> {
  const byLang = new Map<Lang, Loading<Texts>>();
  const begin = (lang: Lang): Loading<Texts> => {
    const begun: Loading<Texts> = { promise: importPart(importers[lang], name) };
    byLang.set(lang, begun);
    begun.promise.then(
      (texts) => {
        begun.texts = texts;
      },
      (failure: unknown) => {
        begun.failure = failure;
      },
    );
    return begun;
  };
  forgetters.add(() => {
    for (const [lang, { failure }] of byLang) if (failure !== undefined) byLang.delete(lang);
  });
  return {
    load: (lang) => {
      const known = byLang.get(lang);
      return (known === undefined || known.failure !== undefined ? begin(lang) : known).promise;
    },
    read: (lang) => {
      const { texts, failure, promise } = byLang.get(lang) ?? begin(lang);
      if (texts !== undefined) return texts;
      // Until somebody asks again: React repeats a component that has failed.
      if (failure !== undefined) throw failure;
      // Thrown and not given to `use`: React repeats what `use` has suspended with the hooks of the
      // first attempt, and fails when the texts have come meanwhile and `use` is left out.
      throw promise;
    },
  };
}

/** A hook for the texts of a part of the pages, in the reader's language. */
export function createTextsHook<Name extends string, Texts>(
  importers: Record<Lang, () => Promise<Record<Name, Texts>>>,
  name: Name,
): () => Texts {
  const { read } = createLazyTexts(importers, name);
  return () => read(useLang().lang);
}
