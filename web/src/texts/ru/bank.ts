import type { PublicTexts } from '@zhiber/contract/pages.ts';

/** The page that plays the app of a bank, in the sandbox. */
export const bank: PublicTexts['bank'] = {
  title: 'Банк песочницы',
  note: 'Вместо приложения банка. Настоящие деньги не списываются.',
  seller: 'Получатель',
  purpose: 'Назначение',
  reference: 'Код платежа',
  until: 'Оплатить до',
  almaty: 'Алматы',
  states: {
    waiting: 'Ожидает оплаты',
    expired: 'Срок истёк',
    paid: 'Оплачено',
    cancelled: 'Отменено',
  },
  pay: 'Оплатить',
  payAgain: 'Оплатить ещё раз',
  otherWays: 'Проверить другие случаи',
  payLate: 'Оплатить после срока',
  payTwice: 'Оплатить дважды',
  otherAmount: 'Другая сумма, ₸',
  payOther: 'Оплатить эту сумму',
  wrongAmount: 'Введите целое число от 1 до 1 000 000 000.',
  cancel: 'Отменить платёж',
  paymentsTitle: 'Платежи',
  notified: 'Сервис получил уведомление',
  notNotified: 'Сервис не принял уведомление и узнает о платеже, когда сам спросит банк',
  refund: 'Вернуть деньги',
  refunded: 'Возвращено:',
  toBalance: 'К балансу',
};
