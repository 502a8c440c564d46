import type { FastifyInstance } from 'fastify';
import { SHORT_HOST_ONLY } from './short-host.ts';

/**
 * Records the routes as they are added. The returned function gives the methods of a path, none for
 * an unknown path.
 */
export function listMethods(app: FastifyInstance): (url: string, isShortHost: boolean) => string[] {
  const routes: { methods: string[]; pattern: RegExp; isShortHost: boolean }[] = [];
  app.addHook('onRoute', (route) => {
    const methods = Array.isArray(route.method) ? route.method : [route.method];
    const pattern = route.url
      .split('/')
      .map((part) =>
        part.startsWith(':') ? '[^/]+' : part === '*' ? '.+' : part.replace(/[.+]/g, '\\$&'),
      )
      .join('/');
    const isShortHost = route.constraints?.site === SHORT_HOST_ONLY.site;
    routes.push({ methods, pattern: new RegExp(`^${pattern}$`), isShortHost });
  });

  return (url, isShortHost) => {
    const path = url.split('?', 1)[0] as string;
    const matching = routes.filter(
      (route) => route.pattern.test(path) && route.isShortHost === isShortHost,
    );
    return [...new Set(matching.flatMap((route) => route.methods))];
  };
}
