import type { ClickBrowser, ClickDevice, ClickSystem } from '@zhiber/contract/cabinet/clicks.ts';

export type AgentClass = {
  device: ClickDevice | null;
  system: ClickSystem | null;
  browser: ClickBrowser | null;
};

/** The first that matches. An iPad that asks for desktop pages says that it is a Mac. */
const SYSTEMS: readonly [RegExp, ClickSystem][] = [
  [/iPhone|iPad|iPod/, 'ios'],
  [/Android/, 'android'],
  [/Windows/, 'windows'],
  [/Macintosh|Mac OS X/, 'macos'],
  [/Linux|X11|CrOS/, 'linux'],
];

/** The first that matches: most browsers also name those that they descend from. */
const BROWSERS: readonly [RegExp, ClickBrowser][] = [
  [/Instagram/, 'instagram'],
  [/FBA[NV]|FB_IAB/, 'facebook'],
  [/Telegram/, 'telegram'],
  [/Viber/, 'viber'],
  [/YaBrowser|YaSearchApp|YaApp/, 'yandex'],
  [/SamsungBrowser/, 'samsung'],
  [/MiuiBrowser/, 'miui'],
  [/OPR\/|Opera|OPT\//, 'opera'],
  [/Edg(?:e|A|iOS)?\//, 'edge'],
  [/Firefox|FxiOS/, 'firefox'],
  [/Chrome|CriOS/, 'chrome'],
  [/Safari/, 'safari'],
];

/** What a user agent says of its device; null where it says nothing known. */
export function classifyAgent(agent: string): AgentClass {
  const system = SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1] ?? null;
  return {
    device: deviceOf(agent, system),
    system,
    browser: BROWSERS.find(([pattern]) => pattern.test(agent))?.[1] ?? null,
  };
}

function deviceOf(agent: string, system: ClickSystem | null): ClickDevice | null {
  if (system === null) return null;
  if (system === 'ios') return agent.includes('iPad') ? 'tablet' : 'phone';
  // Android tablets leave out `Mobile`, which phones have.
  if (system === 'android') return /\bMobile\b/.test(agent) ? 'phone' : 'tablet';
  return 'computer';
}

// An app on Android names itself instead of a page.
const REFERRER =
  /^(?:https?|android-app):\/\/(?:www\.)?([a-z0-9](?:[a-z0-9._-]{0,250}[a-z0-9])?)(?::\d{1,5})?(?:[/?#]|$)/i;

/** The host of the page on which a link was followed, without its path, which may be private. */
export function referrerHost(referrer: string): string | null {
  return REFERRER.exec(referrer)?.[1]?.toLowerCase() ?? null;
}
