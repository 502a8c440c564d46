import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { classifyAgent, referrerHost } from './user-agent.ts';

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const BLINK = 'AppleWebKit/537.36 (KHTML, like Gecko)';

// Written down by hand: who says what, and what it is.
const AGENTS: Record<string, [agent: string, device: string, system: string, browser: string]> = {
  'Safari of an iPhone': [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${WEBKIT} Version/18.1 Mobile/15E148 Safari/604.1`,
    'phone',
    'ios',
    'safari',
  ],
  'Chrome of an iPhone': [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${WEBKIT} CriOS/140.0 Mobile/15E148 Safari/604.1`,
    'phone',
    'ios',
    'chrome',
  ],
  'Safari of an iPad': [
    `Mozilla/5.0 (iPad; CPU OS 17_6 like Mac OS X) ${WEBKIT} Version/17.6 Mobile/15E148 Safari/604.1`,
    'tablet',
    'ios',
    'safari',
  ],
  'Chrome of an Android phone': [
    `Mozilla/5.0 (Linux; Android 10; K) ${BLINK} Chrome/140.0.0.0 Mobile Safari/537.36`,
    'phone',
    'android',
    'chrome',
  ],
  'Chrome of an Android tablet': [
    `Mozilla/5.0 (Linux; Android 10; K) ${BLINK} Chrome/140.0.0.0 Safari/537.36`,
    'tablet',
    'android',
    'chrome',
  ],
  'Firefox of an Android tablet': [
    'Mozilla/5.0 (Android 14; Tablet; rv:131.0) Gecko/131.0 Firefox/131.0',
    'tablet',
    'android',
    'firefox',
  ],
  'Samsung Internet': [
    `Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-S921B) ${BLINK} SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36`,
    'phone',
    'android',
    'samsung',
  ],
  'Yandex of an Android phone': [
    `Mozilla/5.0 (Linux; arm_64; Android 13; M2101K6G) ${BLINK} Chrome/138.0.0.0 YaBrowser/25.8.0.90.00 SA/3 Mobile Safari/537.36`,
    'phone',
    'android',
    'yandex',
  ],
  'the browser of a Xiaomi': [
    `Mozilla/5.0 (Linux; U; Android 13; ru-ru; 2201117TG) ${BLINK} Version/4.0 Chrome/112.0.5615.136 Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.20.0-gn`,
    'phone',
    'android',
    'miui',
  ],
  Instagram: [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${WEBKIT} Mobile/21F90 Instagram 345.0.8.28.82 (iPhone14,5)`,
    'phone',
    'ios',
    'instagram',
  ],
  Facebook: [
    `Mozilla/5.0 (Linux; Android 12; SM-A525F; wv) ${BLINK} Version/4.0 Chrome/139.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/480.0.0.54.88;]`,
    'phone',
    'android',
    'facebook',
  ],
  'Edge of a computer': [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
    'computer',
    'windows',
    'edge',
  ],
  'Opera of a computer': [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Chrome/138.0.0.0 Safari/537.36 OPR/122.0.0.0`,
    'computer',
    'windows',
    'opera',
  ],
  'Safari of a Mac': [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.0 Safari/605.1.15`,
    'computer',
    'macos',
    'safari',
  ],
  'Firefox of Linux': [
    'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    'computer',
    'linux',
    'firefox',
  ],
};

for (const [name, [agent, ...expected]] of Object.entries(AGENTS)) {
  test(`${name} is ${expected.join(', ')}`, () => {
    const { device, system, browser } = classifyAgent(agent);
    assert.deepEqual([device, system, browser], expected);
  });
}

test('an agent that says nothing known has no device', () => {
  for (const agent of ['', 'curl/8.5.0', 'Mozilla/5.0']) {
    assert.deepEqual(classifyAgent(agent), { device: null, system: null, browser: null }, agent);
  }
});

describe('the referrer', () => {
  const hosts: [string, string | null][] = [
    ['https://www.Instagram.com/', 'instagram.com'],
    ['https://shop.kz/private/path?token=secret', 'shop.kz'],
    ['http://shop.kz:8080', 'shop.kz'],
    ['android-app://org.telegram.messenger/', 'org.telegram.messenger'],
    ['https://xn--80aaxitdbjk.xn--80ao21a/', 'xn--80aaxitdbjk.xn--80ao21a'],
    ['https://user:password@shop.kz/', null],
    ['file:///home/somebody', null],
    ['shop.kz', null],
    ['', null],
    [`https://${'a'.repeat(300)}.kz/`, null],
  ];
  for (const [referrer, host] of hosts) {
    test(`${JSON.stringify(referrer.slice(0, 60))} is kept as ${host}`, () => {
      assert.equal(referrerHost(referrer), host);
    });
  }
});
