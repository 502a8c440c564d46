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
    navigation: 'Разделы',
    menu: 'Меню',
    languages: 'Язык страницы',
    docs: 'Документация',
    pricing: 'Цены',
    status: 'Статус',
    changelog: 'Изменения',
    tryIt: 'Попробовать',
    cabinet: 'Кабинет',
    errors: layout.helpErrors,
    openapi: 'OpenAPI',
    terms: 'Условия',
    privacy: 'Конфиденциальность',
    forDevelopers: 'Разработчикам',
    service: 'Сервис',
    legal: 'Правила',
    operator: 'Оператор сервиса',
    support: 'Поддержка',
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
    title: 'Такой страницы нет',
    text: 'Проверьте, что адрес введён без ошибок, или начните с главной страницы.',
    home: 'На главную',
    perhaps: 'Возможно, вы искали',
  },
  /** No terms of ours, and one thing that the reader can do. */
  linkNotices: {
    gone: {
      title: 'Ссылка больше не работает',
      text: 'Её срок закончился, или отправитель её отключил. Попросите прислать новую.',
    },
    closed: {
      title: 'Ссылка закрыта',
      text: 'Её закрыл оператор сервиса. Если вы ждали сообщение от компании, свяжитесь с ней напрямую.',
    },
    unknown: {
      title: 'Такой ссылки нет',
      text: 'Проверьте, что адрес скопирован целиком, или откройте ссылку прямо из сообщения.',
    },
    tooMany: {
      title: 'Слишком много попыток',
      text: 'Подождите минуту и откройте ссылку снова.',
    },
  },
  unsubscribe: {
    title: 'Отписаться от рассылки?',
    from: 'Отправитель',
    phone: 'Номер',
    note: 'Коды для входа и другие сообщения, которых вы ждёте, будут приходить как раньше.',
    unsubscribe: 'Отписаться',
    fromEveryone: 'Не получать рассылок ни от кого через этот сервис',
    done: 'Вы отписались',
    doneNote: 'Рассылки этого отправителя больше не будут приходить на ваш номер.',
    doneEveryone: 'Вы отписались от всех рассылок',
    doneEveryoneNote:
      'Рассылки через этот сервис больше не будут приходить на ваш номер, от кого бы они ни были.',
  },
  /** For people who hold a receipt. */
  receipts: {
    genuine: 'Квитанция подлинная',
    sample: 'Это квитанция из песочницы: оплаты не было, юридической силы она не имеет.',
    number: 'Номер',
    amount: 'Сумма',
    paidAt: 'Оплачено',
    almaty: 'Алматы',
    seller: 'Получатель',
    payer: 'Плательщик',
    refund: 'Возврат',
    notRefunded: 'не было',
    refundedPart: 'Возвращено',
    refundedWhole: 'Платёж возвращён полностью',
    compare:
      'Сравните с документом: номер, сумма, время и получатель должны совпадать. Имя плательщика здесь скрыто.',
    unknown: {
      title: 'Такой квитанции нет',
      text: 'Проверьте, что адрес введён без ошибок. Если он верный, квитанция выдана не нашим сервисом.',
    },
  },
} satisfies Omit<PublicTexts, 'bank' | 'docs' | 'errorPages' | 'status'>;
