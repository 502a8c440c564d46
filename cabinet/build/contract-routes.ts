import { CABINET_ENDPOINTS } from '@zhiber/contract/cabinet/endpoints.ts';
import type { Plugin } from 'vite';

const ROUTES = '\0zhiber:routes';
const NO_SCHEMAS = '\0zhiber:no-schemas';

/** Anything that builds a schema gives an empty one, which nothing reads. */
const NO_SCHEMAS_SOURCE = `
const build = () => ({});
export default new Proxy({}, { get: () => build });
`;

/**
 * The pages need the routes and the words of the contract, and its types while they are compiled.
 * Its schemas, and the library that makes them, stay with the server.
 */
export function contractRoutes(): Plugin {
  return {
    name: 'zhiber-contract-routes',
    enforce: 'pre',
    resolveId(source) {
      if (source === 'virtual:routes') return ROUTES;
      return source === 'typebox' ? NO_SCHEMAS : null;
    },
    load(id) {
      if (id === ROUTES) return `export const ROUTES = ${JSON.stringify(routes())};`;
      return id === NO_SCHEMAS ? NO_SCHEMAS_SOURCE : null;
    },
  };
}

function routes(): Record<string, [method: string, path: string]> {
  const entries = Object.entries(CABINET_ENDPOINTS);
  return Object.fromEntries(entries.map(([name, { method, path }]) => [name, [method, path]]));
}
