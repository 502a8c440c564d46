/**
 * Words that were written once and are not to come back, and things that have one word. The tables
 * are written by hand; the Kazakh terms are explained in `docs/kazakh.md`.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { LANGS, type Lang } from '@zhiber/contract/languages.ts';
import { CHANGES } from './changelog.ts';

type Rule = readonly [unwanted: RegExp, instead: string];

/** A Russian or Kazakh word ends here: `\b` knows Latin letters only. */
const END = '(?![а-яёәғқңөұүіһ])';

const UNWANTED: Record<Lang, readonly Rule[]> = {
  ru: [
    [/на телефон человека\./i, 'Коды подтверждения и короткие ссылки в WhatsApp, Telegram и SMS'],
    [/кабинета — он появится/i, 'Кабинет создастся автоматически'],
    [/Ещё раз можно через/i, 'Отправить код повторно через'],
    [/зовут в компанию/i, 'Вас пригласили в компанию'],
    [/подписывает запросы/i, 'Ключ нужен вашему серверу для запросов к API'],
    [/привычк/i, 'Личные данные, вход и настройки; Внешний вид'],
    [/с которыми компания приходит/i, 'Данные компании и подпись в сообщениях'],
    [/приложени\S+ с кодами/i, 'приложение-аутентификатор'],
    [/не выключить/i, 'Должен остаться хотя бы один канал'],
    [/Нисколько/i, 'Отключить сразу'],
    [/Своё (?:короткое )?имя/i, 'Короткий адрес'],
    [/Включить клавиши/i, 'Горячие клавиши'],
    [new RegExp(`(?<![а-яё])предел(?:а|у|ом|е|ы|ов|ам|ами|ах)?${END}`, 'i'), 'лимит'],
    [new RegExp(`(?<!фискальн\\S+ )(?<![а-яё])чеки?${END}`, 'i'), 'квитанция; фискальный чек'],
    [/Пусто —/i, 'Оставьте пустым, чтобы…'],
    [/[,—] необязательно(?![а-яё])/i, 'the part `Optional`'],
    [/что-то слом/i, 'Ошибка на сервере'],
    [/пока вы смотрели/i, 'Данные изменились'],
    [/рабоч\S+ ключ/i, 'боевой ключ'],
    [/удержано/i, 'в резерве'],
    [/живёт|утёк|до мелочей|нарочно/i, 'действует; скомпрометирован; подробно; намеренно'],
  ],
  kk: [
    [/Байқалған арна/i, 'Әрекет жасалған арна'],
    [/таңбаның \S+-[іы]/i, '36 / 70 таңба'],
    [/жіберетін ештеңе/i, 'жіберетін арна қалмайды'],
    [/қосымша(?:сы|ны|ның|ға|да|дан|лар)/i, 'қолданба'],
    [/(?:алты|12|енгізілмеген) сан|сандар(?:, «|ды тексер)/i, 'цифр'],
    [/жұмыс (?:кілт|орнатылым)|[шс]ынайы|нағыз/i, 'нақты'],
    [/қатынау кілт/i, 'кіру кілті'],
    [/код қолданба/i, 'аутентификатор қолданбасы'],
    [/бейін/i, 'профиль'],
    [/қызмет оператор/i, 'сервис операторы'],
    [/батырма/i, 'түйме'],
    [/командалық|бір команда/i, 'пәрмен'],
    [/статус/i, 'мәртебе'],
    [/іркіліс|оқыс оқиға/i, 'ақау; инцидент'],
    [/(?<!дайын )жоба(?:ны|ға|сы|лар)?(?![а-яәғқңөұүіһ])/i, 'қаралама'],
    [/өткізбелер/i, 'баланс жазбалары'],
    [/[,—] міндетті емес/i, 'the part `Optional`'],
    [/қолдан көбейт/i, 'жасанды көбейту'],
    [/QR-код/i, 'QR код'],
    [/үзінді(?! көшірме)/i, 'үзінді көшірме'],
    [/қайтарым/i, 'қайтару'],
    [/мобильді емес/i, 'ұялы емес'],
    [/реттен жиі/i, 'бір реттен артық емес'],
    [/әдеттер/i, 'сыртқы көрініс; баптаулар'],
    [/көрсетілім компания/i, 'демо-компания'],
    [/\$\{\w+\} (?:дейін|бастап)/, 'a case ending would be needed: write «мерзімі: …»'],
  ],
  en: [
    [/\bcabinets?\b/i, 'dashboard'],
    [/\bmend\b/i, 'fix'],
    [/without end/i, 'Never'],
    [/works until/i, 'Expires'],
    [/company facts|facts of the company|these facts/i, 'company details'],
    [/\bhabits\b/i, 'Appearance; settings'],
    [/API description/i, 'API reference'],
    [/comes to people with/i, 'Company details and message signature'],
    [/within \S+ to \S+/i, 'median'],
    [/letter with a link|send (?:the )?letter|new letter|no letters?\b|in a letter/i, 'e-mail'],
    [/(?<!\{)\bpapers?\b/i, 'document'],
    [/\bdesk\b/i, 'panel'],
    [/\bdear(?:er|est)\b/i, 'more expensive'],
    [/by itself/i, 'automatically'],
    [/\bfor good\b/i, 'permanently'],
    [/\bat once\b/i, 'immediately'],
    [/\bown price/i, 'custom price'],
    [/\bstor(?:y|ies) of/i, 'history'],
    [/\bthe act\b|\bAct of\b/, 'acceptance certificate'],
    [/[,—] optional\b/i, 'the part `Optional`'],
    [/operator of the service/i, 'service operator'],
    [/while you were looking/i, 'has changed'],
    [/\banswer(?:s|ed)? [45]\d\d/i, 'returns'],
  ],
};

/** Of the words for one thing, the texts of a language use one. */
const ONE_OF: readonly { lang: Lang; thing: string; words: readonly RegExp[] }[] = [
  { lang: 'ru', thing: 'second factor', words: [/второ\S+ фактор/i, /двухэтапн|двухфакторн/i] },
  { lang: 'ru', thing: 'sandbox', words: [/песочниц/i, /тестов\S+ среда/i] },
  { lang: 'kk', thing: 'second factor', words: [/екінші фактор|екі факторлы/i, /екі сатылы/i] },
  { lang: 'kk', thing: 'broadcast', words: [/тарату/i, /жаппай жіберу|рассылка/i] },
  { lang: 'kk', thing: 'password', words: [/құпиясөз/i, /құпия сөз|пароль/i] },
  { lang: 'kk', thing: 'account', words: [/тіркелгі/i, /есептік жазба|аккаунт/i] },
  { lang: 'kk', thing: 'setting', words: [/баптау/i, /параметрлер беті|теңшел/i] },
  { lang: 'en', thing: 'dashboard', words: [/\bdashboard\b/i, /\bcontrol panel\b/i] },
  { lang: 'en', thing: 'e-mail', words: [/\be-mail/i, /(?<!\{)\bemail/i] },
];

/** Amounts stand before the sign in every language: 10 986 ₸. */
const MONEY = /₸\s?\d|\bKZT\b|\d\s(?:тенге|теңге|tenge)(?![а-яa-z])/;

type Text = { lang: Lang; at: string; text: string };
const texts: Text[] = [];

before(async () => {
  for (const lang of LANGS) {
    for (const file of globSync(`${lang}/*.ts`, { cwd: import.meta.dirname })) {
      const values = await import(path.join(import.meta.dirname, file));
      texts.push(...textsIn(values, lang, file));
    }
    const docs = path.join(import.meta.dirname, '../docs', lang);
    for (const file of globSync('*.md', { cwd: docs })) {
      const text = readFileSync(path.join(docs, file), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
      const prose = text.replaceAll(/`[^`]*`|\{#[\w-]+\}|\]\([^)]*\)/g, '');
      for (const line of prose.split('\n')) {
        texts.push({ lang, at: `docs/${lang}/${file}`, text: line });
      }
    }
    for (const { id, text } of CHANGES) texts.push({ lang, at: `change ${id}`, text: text[lang] });
  }
});

/** A function is judged by the texts in its source. */
function textsIn(value: unknown, lang: Lang, at: string): Text[] {
  if (typeof value === 'string') return [{ lang, at, text: value }];
  if (typeof value === 'function') {
    const literals = value.toString().match(/`[^`]*`|'[^']*'/g) ?? [];
    return literals.map((text) => ({ lang, at, text }));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => textsIn(part, lang, `${at} ${name}`));
}

describe('the texts', () => {
  test('are all read', () => {
    for (const lang of LANGS)
      assert(texts.filter((text) => text.lang === lang).length > 3_000, lang);
  });

  for (const lang of LANGS) {
    test(`have none of the unwanted words in ${lang}`, () => {
      const found = texts.flatMap(({ lang: of, at, text }) =>
        of === lang
          ? UNWANTED[lang].flatMap(([unwanted, instead]) =>
              unwanted.test(text) ? [`${at}: ${text} (write: ${instead})`] : [],
            )
          : [],
      );
      assert.deepEqual(found, []);
    });
  }

  for (const { lang, thing, words } of ONE_OF) {
    test(`have one word in ${lang} for: ${thing}`, () => {
      const used = words.filter((word) =>
        texts.some((text) => text.lang === lang && word.test(text.text)),
      );
      assert.deepEqual(used, words.slice(0, 1));
    });
  }

  test('write an amount before its sign', () => {
    assert.deepEqual(
      texts.filter(({ text }) => MONEY.test(text)).map(({ at, text }) => `${at}: ${text}`),
      [],
    );
  });
});
