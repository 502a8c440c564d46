/** Programs that open a link to draw its preview, or to look at it: redirected, but nobody has clicked. */
const PREVIEW_ROBOTS = [
  ...[
    'whatsapp',
    'telegrambot',
    'facebookexternalhit',
    'facebot',
    'meta-externalagent',
    'twitterbot',
  ],
  ...[
    'linkedinbot',
    'slackbot',
    'slack-imgproxy',
    'discordbot',
    'skypeuripreview',
    'viber',
    'vkshare',
  ],
  ...[
    'pinterestbot',
    'redditbot',
    'snapchat',
    'googlebot',
    'google-inspectiontool',
    'bingbot',
    'bingpreview',
  ],
  ...[
    'yandexbot',
    'yandex.com/bots',
    'applebot',
    'duckduckbot',
    'mail.ru_bot',
    'bitlybot',
    'embedly',
  ],
  ...[
    'iframely',
    'headlesschrome',
    'python-requests',
    'curl/',
    'wget/',
    'go-http-client',
    'uptimerobot',
  ],
];

export function isPreviewRobot(userAgent: string): boolean {
  const agent = userAgent.toLowerCase();
  return PREVIEW_ROBOTS.some((robot) => agent.includes(robot));
}
