import { isLang, type Lang } from '@zhiber/contract/languages.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { describeApi } from './openapi.ts';
import { toYaml } from './openapi-yaml.ts';

/**
 * The description of the API, in Russian or in the language of `?lang=`. Tools in a browser may read
 * it from any site; no other answer of the API has a CORS header.
 */
export function addApiDescription(scope: FastifyInstance, ctx: Context): void {
  const addFile = (url: string, type: string, write: (description: unknown) => string) => {
    const written = new Map<Lang, string>();
    scope.get(url, (request, reply) => {
      const lang = langOf(request);
      const text = written.get(lang) ?? write(describeApi(ctx.urls.publicUrl, lang));
      written.set(lang, text);
      return send(reply, type, text);
    });
  };
  addFile('/openapi.json', 'application/json; charset=utf-8', (it) => JSON.stringify(it));
  addFile('/openapi.yaml', 'application/yaml; charset=utf-8', (it) => toYaml(it));
}

function send(reply: FastifyReply, type: string, text: string): FastifyReply {
  return reply.header('content-type', type).header('access-control-allow-origin', '*').send(text);
}

function langOf(request: FastifyRequest): Lang {
  const { lang } = request.query as { lang?: unknown };
  return isLang(lang) ? lang : 'ru';
}
