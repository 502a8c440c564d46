import { isLang, type Lang } from '@zhiber/contract/languages.ts';

/** `?lang=` wins, then the stored choice, then what the browser asks for, then Russian. */
export function chooseLang(asked: {
  address: string;
  cookie: string;
  browser: readonly string[];
}): Lang {
  const byAddress = new URLSearchParams(asked.address).get('lang');
  const stored = /(?:^|; )lang=(\w+)/.exec(asked.cookie)?.[1];
  const preferred = asked.browser.map((tag) => tag.split('-')[0]?.toLowerCase());
  return [byAddress, stored, ...preferred].find(isLang) ?? 'ru';
}
