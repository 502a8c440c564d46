/** Programs that open a link to draw its preview: they are redirected, but nobody has clicked. */
const PREVIEW_ROBOTS = [
  'whatsapp telegrambot facebookexternalhit facebot meta-externalagent twitterbot linkedinbot',
  'slackbot slack-imgproxy discordbot skypeuripreview viber vkshare pinterestbot redditbot',
  'googlebot google-inspectiontool bingbot bingpreview yandexbot yandex.com/bots applebot',
  'duckduckbot mail.ru_bot bitlybot embedly iframely',
].flatMap((line) => line.split(' '));

export function isPreviewRobot(userAgent: string): boolean {
  const agent = userAgent.toLowerCase();
  return PREVIEW_ROBOTS.some((robot) => agent.includes(robot));
}
