/**
 * npm puts `@hey-api/openapi-ts` beside the TypeScript of the repository, which satisfies its range
 * but has no compiler API. With `--import` of this file it gets the one of this folder.
 */
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, nextResolve) {
    const parentURL = specifier === 'typescript' ? import.meta.url : context.parentURL;
    return nextResolve(specifier, { ...context, parentURL });
  },
});
