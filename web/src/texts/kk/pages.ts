import type { PublicTexts } from '@zhiber/contract/pages.ts';
import { home } from './home.ts';
import { layout } from './layout.ts';
import { pricing } from './pricing.ts';
import { changelog, legal } from './site.ts';
import { ui } from './ui.ts';

/** The pages that the server renders, without the error catalogue. */
export const pages = {
  layout: {
    skip: layout.skip,
    navigation: 'Бөлімдер',
    menu: 'Мәзір',
    languages: 'Бет тілі',
    docs: 'Құжаттама',
    pricing: 'Бағалар',
    status: 'Мәртебе',
    changelog: 'Өзгерістер',
    tryIt: 'Байқап көру',
    cabinet: 'Кабинет',
    errors: layout.helpErrors,
    openapi: 'OpenAPI',
    terms: 'Шарттар',
    privacy: 'Құпиялылық',
    forDevelopers: 'Әзірлеушілерге',
    service: 'Сервис',
    legal: 'Ережелер',
    operator: 'Сервис операторы',
    support: 'Қолдау',
    theme: layout.theme,
    themes: layout.themes,
    sandbox: layout.sandbox,
    sandboxNote: layout.sandboxNote,
    copy: ui.copy,
    copied: ui.copied,
  },
  home,
  pricing,
  changelog,
  legal,
  notFound: {
    title: 'Мұндай бет жоқ',
    text: 'Мекенжайдың дұрыс жазылғанын тексеріңіз немесе басты беттен бастаңыз.',
    home: 'Басты бетке',
    perhaps: 'Мүмкін, мынаны іздеген боларсыз',
  },
  /** No terms of ours, and one thing that the reader can do. */
  linkNotices: {
    gone: {
      title: 'Сілтеме енді жұмыс істемейді',
      text: 'Оның мерзімі бітті немесе жіберуші оны өшірді. Жаңасын жіберуін сұраңыз.',
    },
    closed: {
      title: 'Сілтеме жабылған',
      text: 'Оны сервис операторы жапты. Компаниядан хабарлама күткен болсаңыз, онымен тікелей хабарласыңыз.',
    },
    unknown: {
      title: 'Мұндай сілтеме жоқ',
      text: 'Мекенжай толық көшірілгенін тексеріңіз немесе сілтемені хабарламадан ашыңыз.',
    },
    tooMany: {
      title: 'Әрекет тым көп',
      text: 'Бір минут күтіп, сілтемені қайта ашыңыз.',
    },
  },
  unsubscribe: {
    title: 'Таратудан бас тартасыз ба?',
    from: 'Жіберуші',
    phone: 'Нөмір',
    note: 'Кіру кодтары мен өзіңіз күткен басқа хабарламалар бұрынғыдай келеді.',
    unsubscribe: 'Таратудан бас тарту',
    fromEveryone: 'Бұл сервис арқылы ешкімнен тарату алмау',
    done: 'Сіз таратудан бас тарттыңыз',
    doneNote: 'Бұл жіберушінің таратулары енді нөміріңізге келмейді.',
    doneEveryone: 'Сіз барлық таратудан бас тарттыңыз',
    doneEveryoneNote:
      'Бұл сервис арқылы жіберілетін таратулар кімнен болса да енді нөміріңізге келмейді.',
  },
  /** For people who hold a receipt. */
  receipts: {
    genuine: 'Түбіртектің түпнұсқалығы расталды',
    sample: 'Бұл — құмсалғыштағы түбіртек: төлем болған жоқ, заңды күші жоқ.',
    number: 'Нөмірі',
    amount: 'Сомасы',
    paidAt: 'Төленді',
    almaty: 'Алматы',
    seller: 'Алушы',
    payer: 'Төлеуші',
    refund: 'Қайтару',
    notRefunded: 'болған жоқ',
    refundedPart: 'Қайтарылғаны:',
    refundedWhole: 'Төлем толық қайтарылды',
    compare:
      'Құжатпен салыстырыңыз: нөмірі, сомасы, уақыты және алушысы сәйкес келуі керек. Төлеушінің аты мұнда жасырылған.',
    unknown: {
      title: 'Мұндай түбіртек жоқ',
      text: 'Мекенжайдың қатесіз терілгенін тексеріңіз. Дұрыс болса, бұл түбіртекті біздің сервис бермеген.',
    },
  },
} satisfies Omit<PublicTexts, 'bank' | 'docs' | 'errorPages' | 'status'>;
