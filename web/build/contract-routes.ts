import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { ADMIN_ENDPOINTS } from '@zhiber/contract/admin/endpoints.ts';
import { CABINET_ENDPOINTS } from '@zhiber/contract/cabinet/endpoints.ts';
import type { Plugin } from 'vite';

const MODULES: Record<string, Endpoints> = {
  'virtual:routes': CABINET_ENDPOINTS,
  'virtual:admin-routes': ADMIN_ENDPOINTS,
};

type Endpoints = Record<string, { method: string; path: string }>;

/**
 * The pages need the routes and the words of the contract, and its types while they are compiled.
 * Its schemas, and the library that makes them, stay with the server.
 */
export function contractRoutes(): Plugin {
  return {
    name: 'zhiber-contract-routes',
    enforce: 'pre',
    resolveId(source) {
      return source in MODULES ? `\0${source}` : null;
    },
    async load(id) {
      const endpoints = MODULES[id.slice(1)];
      if (endpoints !== undefined) {
        return `export const ROUTES = ${JSON.stringify(routesOf(endpoints))};`;
      }
      const isWithSchemas =
        id.includes('/contract/src/') && (await readFile(id, 'utf8')).includes("from 'typebox'");
      return isWithSchemas ? wordsOf(await import(pathToFileURL(id).href)) : null;
    },
  };
}

function routesOf(endpoints: Endpoints): Record<string, [method: string, path: string]> {
  const entries = Object.entries(endpoints);
  return Object.fromEntries(entries.map(([name, { method, path }]) => [name, [method, path]]));
}

/** A module without its schemas. A page that imports a schema fails to build. */
function wordsOf(module: Record<string, unknown>): string {
  return Object.entries(module)
    .filter(([, value]) => isWords(value))
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
}

function isWords(value: unknown): boolean {
  if (typeof value === 'function') return false;
  if (typeof value !== 'object' || value === null) return true;
  const isSchema = '~kind' in value;
  return !isSchema && Object.values(value).every(isWords);
}
