import type { PublicTexts } from '@zhiber/contract/pages.ts';

/** The page that plays the app of a bank, in the sandbox. */
export const bank: PublicTexts['bank'] = {
  title: 'Құмсалғыш банкі',
  note: 'Банк қолданбасының орнына. Нақты ақша алынбайды.',
  seller: 'Алушы',
  purpose: 'Төлем мақсаты',
  reference: 'Төлем коды',
  until: 'Төлеу мерзімі',
  almaty: 'Алматы',
  states: {
    waiting: 'Төлем күтілуде',
    expired: 'Мерзімі өтті',
    paid: 'Төленді',
    cancelled: 'Бас тартылды',
  },
  pay: 'Төлеу',
  payAgain: 'Тағы бір рет төлеу',
  otherWays: 'Басқа жағдайларды тексеру',
  payLate: 'Мерзімінен кейін төлеу',
  payTwice: 'Екі рет төлеу',
  otherAmount: 'Басқа сома, ₸',
  payOther: 'Осы соманы төлеу',
  wrongAmount: '1 мен 1 000 000 000 аралығындағы бүтін сан енгізіңіз.',
  cancel: 'Төлемнен бас тарту',
  paymentsTitle: 'Төлемдер',
  notified: 'Сервис төлем туралы хабар алды',
  notNotified: 'Сервис хабарды қабылдамады: төлем туралы банктен өзі сұрағанда біледі',
  refund: 'Ақшаны қайтару',
  refunded: 'Қайтарылды:',
  toBalance: 'Балансқа оралу',
};
