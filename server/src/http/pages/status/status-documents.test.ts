/** The status page and its other forms, made from a snapshot that is written by hand. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { COMPONENTS } from '@zhiber/contract/admin/incidents.ts';
import { LANGS, type Lang } from '@zhiber/contract/languages.ts';
import type { PublicIncident, StatusDay, StatusSnapshot } from '@zhiber/contract/pages/status.ts';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { readWebBuild } from '../web-build.ts';
import { renderStatus, type StatusDocument } from './render-status.ts';
import { dayText, formatPercent, type StatusNow } from './status-page.ts';
import { formatMinutes, formatMonth, formatSpan } from './status-times.ts';

const build = readWebBuild();
assert(build !== undefined, 'the pages are not built: npm run build');
const { texts } = build;
const NOW = new Date('2026-11-18T07:30:00.000Z');
const SITE = 'https://zhiber.example';

const DAY: StatusDay = {
  day: '2026-10-12',
  measured: 1_440,
  degraded: 0,
  partial: 0,
  major: 0,
  maintenance: 0,
};

const OPEN: PublicIncident = {
  id: 7,
  title: { ru: 'SMS & <b>звонки</b> с задержкой', kk: 'SMS кешігеді', en: null },
  impact: 'major',
  components: ['sms', 'api'],
  state: 'watching',
  startedAt: '2026-11-18T06:00:00.000Z',
  publishedAt: '2026-11-18T06:05:00.000Z',
  resolvedAt: null,
  planned: null,
  updates: [
    {
      number: 2,
      at: '2026-11-18T07:00:00.000Z',
      state: 'watching',
      text: { ru: 'Починили\u0007, наблюдаем', kk: null, en: 'Fixed, watching' },
    },
    {
      number: 1,
      at: '2026-11-18T06:04:00.000Z',
      state: 'investigating',
      text: { ru: 'Выясняем', kk: null, en: null },
    },
  ],
};
const SECOND: PublicIncident = { ...OPEN, id: 9, title: { ru: 'Второй', kk: null, en: 'Second' } };
const PLANNED: PublicIncident = {
  ...OPEN,
  id: 8,
  title: { ru: 'Обновление базы', kk: null, en: 'Database upgrade' },
  components: ['api'],
  state: 'identified',
  planned: { from: '2026-11-19T20:30:00.000Z', until: '2026-11-19T21:30:00.000Z' },
  updates: [],
};
const OVER: PublicIncident = {
  ...OPEN,
  id: 3,
  title: { ru: 'Старый сбой', kk: null, en: 'Old outage' },
  state: 'resolved',
  startedAt: '2026-09-30T20:00:00.000Z',
  resolvedAt: '2026-09-30T22:00:00.000Z',
};

const GOOD: StatusSnapshot = {
  at: '2026-11-18T07:29:55.000Z',
  siteUrl: SITE,
  isSandbox: false,
  components: COMPONENTS.map((name) => ({
    name,
    state: 'operational',
    measuredBy: ['traffic', 'probe'],
    days: Array.from({ length: 90 }, () => DAY),
    uptimePercent: 100,
  })),
  incidents: [],
};
const withState = (
  state: StatusSnapshot['components'][number]['state'],
  ...names: string[]
): StatusSnapshot => ({
  ...GOOD,
  components: GOOD.components.map((component) =>
    names.includes(component.name) ? { ...component, state } : component,
  ),
});
const BUSY = { ...withState('partial', 'sms'), incidents: [SECOND, PLANNED, OPEN, OVER] };

const render = (
  document: StatusDocument,
  snapshot: StatusSnapshot,
  { lang = 'ru', ...more }: Partial<StatusNow> & { lang?: Lang } = {},
) => renderStatus(document, { snapshot, now: NOW, ...more }, { build, lang });
const textOf = (page: string) =>
  page
    .replaceAll(/<svg.*?<\/svg>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

describe('the words of a day', () => {
  const EXPECTED: [Partial<StatusDay>, string][] = [
    [{}, '12 окт: без сбоев'],
    [{ partial: 14 }, '12 окт: 14 мин, частичный сбой'],
    [{ major: 3, partial: 125 }, '12 окт: 3 мин, серьёзный сбой; 2 ч 5 мин, частичный сбой'],
    [{ degraded: 60 }, '12 окт: 1 ч, работает с ошибками'],
    [{ measured: 1_380, maintenance: 60 }, '12 окт: без сбоев; 1 ч, плановые работы'],
    [{ measured: 200 }, '12 окт: без сбоев; измерено 3 ч 20 мин'],
    [{ measured: 0 }, '12 окт: нет данных'],
    [{ measured: 0, maintenance: 30 }, '12 окт: 30 мин, плановые работы'],
  ];
  for (const [counts, expected] of EXPECTED) {
    test(expected, () =>
      assert.equal(dayText({ ...DAY, ...counts }, 'ru', texts.ru.status), expected),
    );
  }

  test('in Kazakh and in English', () => {
    const day = { ...DAY, partial: 14 };
    assert.equal(dayText(day, 'kk', texts.kk.status), '12 қаз: 14 мин, ішінара ақау');
    assert.equal(dayText(day, 'en', texts.en.status), '12 Oct: 14 min, partial outage');
  });
});

test('minutes, shares, months and spans read as people write them', () => {
  assert.equal(formatMinutes(0, texts.ru.status), '0 мин');
  assert.equal(formatPercent(99.98, 'ru'), '99,98 %');
  assert.equal(formatPercent(99.9, 'en'), '99.9%');
  assert.equal(formatPercent(100, 'kk'), '100 %');
  assert.equal(formatMonth('2026-09-30T20:00:00.000Z', 'ru'), 'Октябрь 2026');
  assert.equal(formatMonth('2026-09-30T18:00:00.000Z', 'en'), 'September 2026');
  const span = { from: '2026-11-19T18:30:00.000Z', until: '2026-11-19T19:30:00.000Z' };
  assert.equal(formatSpan(span, 'en'), '19 Nov, 23:30 – 20 Nov, 00:30');
  assert.equal(
    formatSpan({ ...span, from: '2026-11-19T19:10:00.000Z' }, 'en'),
    '20 Nov, 00:10 – 00:30',
  );
});

describe('the page', () => {
  test('has no script, no inline style and no missing text, in any language', () => {
    for (const lang of LANGS) {
      for (const snapshot of [GOOD, BUSY, withState(null, 'webhooks')]) {
        const page = render('page', snapshot, { lang });
        assert.match(page, new RegExp(`<html lang="${lang}">`));
        assert.doesNotMatch(page, /<script|<style|\sstyle=|\son[a-z]+=|modulepreload/);
        assert.doesNotMatch(page, /undefined|NaN|\[object/);
      }
    }
  });

  test('says that all is well only when all of it is known', () => {
    assert.match(textOf(render('page', GOOD)), /Все компоненты работают/);
    const some = textOf(render('page', withState(null, 'webhooks')));
    assert.doesNotMatch(some, /Все компоненты работают/);
    assert.match(some, /Сбоев нет\. По части компонентов данных пока нет/);
    const none = textOf(render('page', withState(null, ...COMPONENTS)));
    assert.match(none, /Данных пока нет/);
    assert.doesNotMatch(none, /Работает/);
  });

  test('names what is broken, by icon, word and colour', () => {
    const page = render('page', BUSY);
    assert.match(textOf(page), /Частичный сбой: SMS/);
    assert.match(page, /<span class="state is-partial"><svg[^>]*><path[^>]*><\/svg>Частичный сбой/);
  });

  test('has a row for each of ninety days, with its day and its result', () => {
    const page = render('page', GOOD);
    const rows = page.match(/<tr role="row" class="is-operational"/g) ?? [];
    assert.equal(rows.length, 90 * COMPONENTS.length);
    assert.match(page, /<th role="rowheader">12 окт<td role="cell">без сбоев/);
  });

  test('says where the figures of each component come from', () => {
    const only = (measuredBy: ('traffic' | 'probe')[]) =>
      textOf(
        render('page', {
          ...GOOD,
          components: GOOD.components.map((component) => ({ ...component, measuredBy })),
        }),
      );
    assert.match(only(['traffic']), /только по реальным запросам клиентов/);
    assert.match(only(['probe']), /Измеряется нашими проверками/);
    assert.match(only(['traffic', 'probe']), /клиентов и нашими проверками/);
    assert.match(only([]), /слишком мало/);
  });

  test('shows several incidents at once, maintenance in Almaty time, and the past by month', () => {
    const text = textOf(render('page', BUSY));
    assert.match(text, /Сейчас Второй .* SMS &amp; &lt;b&gt;звонки&lt;\/b&gt; с задержкой/);
    assert.match(text, /Обновление базы Запланированы 20 нояб, 01:30 – 02:30 · Алматы/);
    assert.match(text, /История Октябрь 2026 \(1\) Старый сбой/);
  });

  test('falls back to Russian and marks it', () => {
    const page = render('page', BUSY, { lang: 'en' });
    assert.match(page, /<span lang="ru">SMS &amp; &lt;b&gt;звонки&lt;\/b&gt; с задержкой<\/span>/);
    assert.match(page, /<h3>Second<\/h3>/);
    assert.match(page, /<p class="update-text">Fixed, watching<\/p>/);
  });

  test('says that its data is old, or that the API does not answer', () => {
    const old = new Date('2026-11-18T07:32:00.000Z');
    assert.doesNotMatch(render('page', GOOD), /Данные старше двух минут/);
    assert.match(render('page', GOOD, { now: old }), /Данные старше двух минут/);
    assert.match(textOf(render('page', GOOD)), /Данные на 18 нояб, 12:29:55 · Алматы/);
    assert.match(
      render('page', GOOD, { isApiSilent: true }),
      /<strong>API не отвечает\.<\/strong>/,
    );
    assert.doesNotMatch(render('page', GOOD), /API не отвечает/);
  });
});

describe('the feed', () => {
  type Link = { rel: string; href: string; type: string };
  type Entry = {
    id: string;
    title: string;
    updated: string;
    published: string;
    link: Link;
    content: { '#text': string };
  };
  type Feed = {
    xmlns: string;
    id: string;
    title: string;
    updated: string;
    author: { name: string };
    link: Link[];
    entry?: Entry[];
  };
  const read = (xml: string): Feed => {
    assert.equal(XMLValidator.validate(xml), true);
    const parser = new XMLParser({
      ignoreAttributes: false,
      attributeNamePrefix: '',
      isArray: (name) => name === 'entry',
      processEntities: true,
    });
    return (parser.parse(xml) as { feed: Feed }).feed;
  };
  const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

  test('is Atom: ids, times, an author and absolute links', () => {
    for (const lang of LANGS) {
      for (const snapshot of [BUSY, GOOD]) {
        const feed = read(render('feed', snapshot, { lang }));
        assert.equal(feed.xmlns, 'http://www.w3.org/2005/Atom');
        assert.equal(feed.author.name, 'Zhiber');
        assert.match(feed.updated, RFC_3339);
        const entries = feed.entry ?? [];
        const ids = [feed.id, ...entries.map(({ id }) => id)];
        assert.equal(new Set(ids).size, ids.length);
        for (const href of [
          ...ids,
          ...feed.link.map((link) => link.href),
          ...entries.map(({ link }) => link.href),
        ]) {
          assert.equal(new URL(href).origin, SITE, href);
        }
        assert.equal(
          feed.link.find(({ rel }) => rel === 'self')?.href,
          `${SITE}/status/history.atom?lang=${lang}`,
        );
        for (const { updated, published, title } of entries) {
          assert.match(updated, RFC_3339);
          assert.match(published, RFC_3339);
          assert.notEqual(title, '');
        }
      }
    }
  });

  test('tells every incident with its updates, and when it changed last', () => {
    const feed = read(render('feed', BUSY));
    assert.deepEqual(
      feed.entry?.map(({ id }) => id),
      [9, 8, 7, 3].map((id) => `${SITE}/status#incident-${id}`),
    );
    assert.equal(feed.updated, '2026-11-18T07:00:00.000Z');
    const entry = feed.entry?.[2];
    assert.equal(entry?.title, 'SMS & <b>звонки</b> с задержкой');
    assert.equal(entry?.updated, '2026-11-18T07:00:00.000Z');
    assert.match(entry?.content['#text'] ?? '', /Наблюдаем: Починили , наблюдаем\n.*Выясняем/s);
    // Published after its last text.
    assert.equal(feed.entry?.[1]?.updated, '2026-11-18T06:05:00.000Z');
  });
});

describe('the summary', () => {
  type Summary = {
    page: { url: string; updated_at: string };
    status: { indicator: string; description: string };
    components: { id: string; status: string }[];
    components_without_data: string[];
    incidents: {
      id: string;
      name: string;
      status: string;
      impact: string;
      shortlink: string;
      incident_updates: { status: string; body: string }[];
      components: { id: string }[];
    }[];
    scheduled_maintenances: {
      id: string;
      status: string;
      impact: string;
      scheduled_for: string;
      scheduled_until: string;
    }[];
  };
  const read = (snapshot: StatusSnapshot, lang: Lang = 'ru') =>
    JSON.parse(render('summary', snapshot, { lang })) as Summary;

  const WORDS = [
    ['operational', 'operational', 'none'],
    ['degraded', 'degraded_performance', 'minor'],
    ['partial', 'partial_outage', 'major'],
    ['major', 'major_outage', 'critical'],
    ['maintenance', 'under_maintenance', 'maintenance'],
  ] as const;
  for (const [state, word, indicator] of WORDS) {
    test(`${state} is ${word} and ${indicator} in the words of Statuspage`, () => {
      const { components, status } = read(withState(state, 'sms'));
      assert.equal(components.find(({ id }) => id === 'sms')?.status, word);
      assert.equal(status.indicator, indicator);
    });
  }

  test('leaves out a component without data instead of calling it operational', () => {
    const { components, components_without_data, status } = read(withState(null, 'webhooks'));
    assert.equal(
      components.some(({ id }) => id === 'webhooks'),
      false,
    );
    assert.deepEqual(components_without_data, ['webhooks']);
    assert.equal(status.indicator, 'none');
    assert.equal(read(withState(null, ...COMPONENTS)).status.indicator, 'unknown');
  });

  test('has the open incidents and the maintenance to come, and nothing that is over', () => {
    const { incidents, scheduled_maintenances, page } = read(BUSY, 'en');
    assert.deepEqual(
      incidents.map(({ id, name, status, impact }) => [id, name, status, impact]),
      [
        ['9', 'Second', 'monitoring', 'major'],
        ['7', 'SMS & <b>звонки</b> с задержкой', 'monitoring', 'major'],
      ],
    );
    assert.deepEqual(
      incidents[1]?.incident_updates.map(({ status, body }) => [status, body]),
      [
        ['monitoring', 'Fixed, watching'],
        ['investigating', 'Выясняем'],
      ],
    );
    assert.deepEqual(
      incidents[1]?.components.map(({ id }) => id),
      ['api', 'sms'],
    );
    assert.equal(incidents[1]?.shortlink, `${SITE}/status#incident-7`);
    assert.partialDeepStrictEqual(scheduled_maintenances, [
      {
        id: '8',
        status: 'scheduled',
        impact: 'maintenance',
        scheduled_for: '2026-11-19T20:30:00.000Z',
        scheduled_until: '2026-11-19T21:30:00.000Z',
      },
    ]);
    assert.equal(page.updated_at, GOOD.at);
  });
});

test('the badge is valid, has a title for screen readers, and no style', () => {
  const EXPECTED = { ru: 'Частичный сбой', kk: 'Ішінара ақау', en: 'Partial outage' };
  for (const lang of LANGS) {
    const svg = render('badge', BUSY, { lang });
    assert.equal(XMLValidator.validate(svg), true);
    assert.match(svg, new RegExp(`<title>Zhiber: ${EXPECTED[lang]}</title>`));
    assert.match(svg, /role="img" aria-label="Zhiber: /);
    assert.doesNotMatch(svg, /style/);
  }
});
