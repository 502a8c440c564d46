import { isLang, type Lang } from '@zhiber/contract/languages.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { describeApi } from './openapi.ts';
import { toYaml } from './openapi-yaml.ts';
import { writeHttpFile, writePostmanCollection } from './request-collections.ts';

/**
 * The description of the API, in Russian or in the language of `?lang=`. Tools in a browser may read
 * it from any site; no other answer of the API has a CORS header.
 */
export function addApiDescription(scope: FastifyInstance, { urls }: Context): void {
  const allowAll = (reply: FastifyReply) => reply.header('access-control-allow-origin', '*');
  addFile(scope, '/openapi.json', {
    type: 'application/json; charset=utf-8',
    write: (lang) => JSON.stringify(describeApi(urls.publicUrl, lang)),
    prepare: allowAll,
  });
  addFile(scope, '/openapi.yaml', {
    type: 'application/yaml; charset=utf-8',
    write: (lang) => toYaml(describeApi(urls.publicUrl, lang)),
    prepare: allowAll,
  });
}

/** The same as a collection for Postman, and as a file of requests for editors. */
export function addRequestCollections(scope: FastifyInstance, { urls }: Context): void {
  addFile(scope, '/docs/postman.json', {
    type: 'application/json; charset=utf-8',
    write: (lang) => JSON.stringify(writePostmanCollection(urls.publicUrl, lang), null, 2),
  });
  addFile(scope, '/docs/zhiber.http', {
    type: 'text/plain; charset=utf-8',
    write: (lang) => writeHttpFile(urls.publicUrl, lang),
  });
}

type ServedFile = {
  type: string;
  write(lang: Lang): string;
  prepare?(reply: FastifyReply): FastifyReply;
};

/**
 * Written once per language, at the first request: by then the server knows its port, and with it
 * its address.
 */
function addFile(scope: FastifyInstance, url: string, { type, write, prepare }: ServedFile): void {
  const written = new Map<Lang, string>();
  scope.get(url, { exposeHeadRoute: true }, (request, reply) => {
    const lang = langOf(request);
    const text = written.get(lang) ?? write(lang);
    written.set(lang, text);
    return (prepare?.(reply) ?? reply).header('content-type', type).send(text);
  });
}

function langOf(request: FastifyRequest): Lang {
  const { lang } = request.query as { lang?: unknown };
  return isLang(lang) ? lang : 'ru';
}
