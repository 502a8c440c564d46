import type { Lang } from '../language.ts';

type HomeTexts = {
  pageTitle: string;
  title: string;
  lead: string;
  can: readonly string[];
  exampleTitle: string;
  exampleNote: string;
  tryTitle: string;
  tryText: string;
  openapiTitle: string;
  openapiText: string;
  errorsTitle: string;
  errorsText: string;
};

export const HOME_TEXTS = {
  ru: {
    pageTitle: 'Zhiber — коды и ссылки на телефон',
    title: 'Коды и короткие ссылки на телефон человека',
    lead: 'Ваш сервер делает один запрос — человек получает код или ссылку в WhatsApp, Telegram или по SMS. Если мессенджер не принял или не подтвердил доставку, то же сообщение уходит следующим каналом.',
    can: [
      'Отправить одноразовый код и проверить его',
      'Сократить ссылку и отправить её',
      'Написать в группу мессенджера',
    ],
    exampleTitle: 'Первый запрос',
    exampleNote:
      'Ключ zk_test_… ничего не тратит: сообщение придёт в виртуальный телефон, а не на настоящий.',
    tryTitle: 'Виртуальный телефон',
    tryText: 'Отправить код и увидеть, как он приходит',
    openapiTitle: 'Описание API',
    openapiText: 'OpenAPI 3.1: все запросы, поля и ответы',
    errorsTitle: 'Ошибки',
    errorsText: 'Что значит каждый код и что делать',
  },
  kk: {
    pageTitle: 'Zhiber — телефонға кодтар мен сілтемелер',
    title: 'Адамның телефонына кодтар мен қысқа сілтемелер',
    lead: 'Серверіңіз бір сұрау жібереді — адам кодты немесе сілтемені WhatsApp, Telegram не SMS арқылы алады. Мессенджер қабылдамаса немесе жеткізуді растамаса, сол хабарлама келесі арнамен жіберіледі.',
    can: [
      'Бір реттік кодты жіберу және тексеру',
      'Сілтемені қысқарту және жіберу',
      'Мессенджердегі топқа жазу',
    ],
    exampleTitle: 'Бірінші сұрау',
    exampleNote:
      'zk_test_… кілті ештеңе жұмсамайды: хабарлама нағыз телефонға емес, виртуалды телефонға келеді.',
    tryTitle: 'Виртуалды телефон',
    tryText: 'Код жіберіп, оның қалай келетінін көру',
    openapiTitle: 'API сипаттамасы',
    openapiText: 'OpenAPI 3.1: барлық сұраулар, өрістер және жауаптар',
    errorsTitle: 'Қателер',
    errorsText: 'Әр код нені білдіреді және не істеу керек',
  },
  en: {
    pageTitle: 'Zhiber — codes and links to a phone',
    title: 'Codes and short links to a person’s phone',
    lead: 'Your server makes one request, and a person gets a code or a link over WhatsApp, Telegram or SMS. If a messenger refuses it or does not confirm delivery, the same message goes out by the next channel.',
    can: [
      'Send a one-time code and verify it',
      'Shorten a link and send it',
      'Write to a messenger group',
    ],
    exampleTitle: 'The first request',
    exampleNote:
      'A zk_test_… key spends nothing: the message arrives in the virtual phone, not in a real one.',
    tryTitle: 'Virtual phone',
    tryText: 'Send a code and watch it arrive',
    openapiTitle: 'API description',
    openapiText: 'OpenAPI 3.1: every request, field and answer',
    errorsTitle: 'Errors',
    errorsText: 'What each code means and what to do',
  },
} as const satisfies Record<Lang, HomeTexts>;
