import type { FastifyInstance } from 'fastify';

/**
 * Records the routes as they are added. The returned function gives the methods of a path, none for
 * an unknown path.
 */
export function listMethods(app: FastifyInstance): (url: string, host: string) => string[] {
  const routes: { methods: string[]; pattern: RegExp; host: string | undefined }[] = [];
  app.addHook('onRoute', (route) => {
    const methods = Array.isArray(route.method) ? route.method : [route.method];
    const pattern = route.url
      .split('/')
      .map((part) =>
        part.startsWith(':') ? '[^/]+' : part === '*' ? '.+' : part.replace(/[.+]/g, '\\$&'),
      )
      .join('/');
    const host = route.constraints?.host as string | undefined;
    routes.push({ methods, pattern: new RegExp(`^${pattern}$`), host });
  });

  return (url, host) => {
    const path = url.split('?', 1)[0] as string;
    const matching = routes.filter(
      (route) => route.pattern.test(path) && (route.host === undefined || route.host === host),
    );
    return [...new Set(matching.flatMap((route) => route.methods))];
  };
}
