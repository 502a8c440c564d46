import type { Lang } from '../language.ts';

type LayoutTexts = {
  skip: string;
  navigation: string;
  languages: string;
  tryIt: string;
  errors: string;
  openapi: string;
  cabinet: string;
  sandbox: string;
  sandboxNote: string;
  copy: string;
  copied: string;
};

export const LAYOUT_TEXTS = {
  ru: {
    skip: 'К содержанию',
    navigation: 'Разделы',
    languages: 'Язык страницы',
    tryIt: 'Попробовать',
    errors: 'Ошибки',
    openapi: 'Описание API',
    cabinet: 'Кабинет',
    sandbox: 'Песочница',
    sandboxNote: 'ничего не уходит с этого сервера, сообщения приходят в виртуальный телефон',
    copy: 'Скопировать',
    copied: 'Скопировано',
  },
  kk: {
    skip: 'Мазмұнға өту',
    navigation: 'Бөлімдер',
    languages: 'Бет тілі',
    tryIt: 'Байқап көру',
    errors: 'Қателер',
    openapi: 'API сипаттамасы',
    cabinet: 'Кабинет',
    sandbox: 'Құмсалғыш',
    sandboxNote: 'бұл серверден ештеңе шықпайды, хабарламалар виртуалды телефонға келеді',
    copy: 'Көшіру',
    copied: 'Көшірілді',
  },
  en: {
    skip: 'Skip to content',
    navigation: 'Sections',
    languages: 'Page language',
    tryIt: 'Try it',
    errors: 'Errors',
    openapi: 'API description',
    cabinet: 'Cabinet',
    sandbox: 'Sandbox',
    sandboxNote: 'nothing leaves this server, messages arrive in the virtual phone',
    copy: 'Copy',
    copied: 'Copied',
  },
} as const satisfies Record<Lang, LayoutTexts>;
