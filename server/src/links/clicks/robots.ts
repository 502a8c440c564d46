import type { IncomingHttpHeaders } from 'node:http';

/** Programs that open a link to draw its preview: they are redirected, but nobody has clicked. */
const PREVIEW_ROBOTS = [
  'whatsapp telegrambot facebookexternalhit facebot meta-externalagent twitterbot linkedinbot',
  'slackbot slack-imgproxy discordbot skypeuripreview viber vkshare pinterestbot redditbot',
  'googlebot google-inspectiontool bingbot bingpreview yandexbot yandex.com/bots applebot',
  'duckduckbot mail.ru_bot bitlybot embedly iframely',
].flatMap((line) => line.split(' '));

/** How browsers say that they look ahead, before a person has decided to go there. */
const AHEAD_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;
const AHEAD = /\b(?:prefetch|preview|prerender)\b/i;

export type Visit = { method: string; headers: IncomingHttpHeaders };

/** Whether a link was opened by a program alone. iMessage names itself as two of the robots. */
export function isRobot({ method, headers }: Visit): boolean {
  if (method === 'HEAD' || AHEAD_HEADERS.some((name) => AHEAD.test(String(headers[name])))) {
    return true;
  }
  const agent = (headers['user-agent'] ?? '').toLowerCase();
  return PREVIEW_ROBOTS.some((robot) => agent.includes(robot));
}
