import type { FastifyInstance } from 'fastify';

/**
 * Remembers the routes as they are added; the result tells which methods a path has, none for an
 * unknown path.
 */
export function listMethods(app: FastifyInstance): (url: string, host: string) => string[] {
  const routes: { methods: string[]; form: RegExp; host: string | undefined }[] = [];
  app.addHook('onRoute', (route) => {
    const methods = Array.isArray(route.method) ? route.method : [route.method];
    const form = route.url
      .split('/')
      .map((part) =>
        part.startsWith(':') ? '[^/]+' : part === '*' ? '.+' : part.replace(/[.+]/g, '\\$&'),
      )
      .join('/');
    const host = route.constraints?.host as string | undefined;
    routes.push({ methods, form: new RegExp(`^${form}$`), host });
  });

  return (url, host) => {
    const path = url.split('?', 1)[0] as string;
    const found = routes.filter(
      (route) => route.form.test(path) && (route.host === undefined || route.host === host),
    );
    return [...new Set(found.flatMap((route) => route.methods))];
  };
}
