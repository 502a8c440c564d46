import type { FastifyInstance } from 'fastify';

/**
 * Remembers the routes as they are added; the result tells which methods a path has, none for an
 * unknown path.
 */
export function listMethods(app: FastifyInstance): (url: string) => string[] {
  const routes: { methods: string[]; form: RegExp }[] = [];
  app.addHook('onRoute', (route) => {
    const methods = Array.isArray(route.method) ? route.method : [route.method];
    const form = route.url
      .split('/')
      .map((part) =>
        part.startsWith(':') ? '[^/]+' : part === '*' ? '.+' : part.replace(/[.+]/g, '\\$&'),
      )
      .join('/');
    routes.push({ methods, form: new RegExp(`^${form}$`) });
  });

  return (url) => {
    const path = url.split('?', 1)[0] as string;
    const found = routes.filter((route) => route.form.test(path));
    return [...new Set(found.flatMap((route) => route.methods))];
  };
}
