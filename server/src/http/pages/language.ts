import { isLang, type Lang } from '@zhiber/contract/languages.ts';
import type { FastifyRequest } from 'fastify';

/** The language of the page that somebody asks for. */
export function langOf(request: FastifyRequest): Lang {
  // The query of a malformed address is not read.
  const { lang } = (request.query ?? {}) as { lang?: unknown };
  const { cookie, 'accept-language': acceptLanguage } = request.headers;
  return chooseLang({ query: lang, cookie, acceptLanguage });
}

/** `?lang=` wins, then what was chosen in the cabinet, then `Accept-Language`, then Russian. */
export function chooseLang(asked: {
  query?: unknown;
  cookie?: string | undefined;
  acceptLanguage?: string | undefined;
}): Lang {
  if (isLang(asked.query)) return asked.query;
  const chosen = /(?:^|;\s*)lang=(\w+)(?:;|$)/.exec(asked.cookie ?? '')?.[1];
  if (isLang(chosen)) return chosen;
  return acceptedLangs(asked.acceptLanguage ?? '')[0] ?? 'ru';
}

function acceptedLangs(header: string): Lang[] {
  return header
    .split(',')
    .map(readRange)
    .filter((range) => range.weight > 0)
    .sort((left, right) => right.weight - left.weight)
    .map((range) => range.lang)
    .filter(isLang);
}

function readRange(range: string): { lang: string; weight: number } {
  const [tag = '', ...parameters] = range.split(';').map((piece) => piece.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  const weight = quality === undefined ? 1 : Number.parseFloat(quality.slice(2));
  return { lang: tag.split('-')[0] ?? '', weight: Number.isNaN(weight) ? 0 : weight };
}
