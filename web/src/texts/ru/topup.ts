import { pluralRu } from '../plural.ts';

type Write = (value: number) => string;

export const topup = {
  title: 'Пополнить баланс',
  toBalance: 'Баланс',
  chips: 'Частые суммы',
  amount: 'Сумма, ₸',
  amountHint: (min: string, max: string) => `От ${min} до ${max}.`,
  tooLittle: (min: string) => `Не меньше ${min}.`,
  tooMuch: (max: string) => `Не больше ${max}.`,
  buys: (messengers: number, sms: number, write: Write) =>
    `Хватит примерно на ${write(messengers)} ${pluralRu(messengers, 'сообщение', 'сообщения', 'сообщений')} в мессенджеры или ${write(sms)} SMS.`,
  bonus: (bonus: string, total: string) =>
    `Первое пополнение: +${bonus} в подарок. На баланс придёт ${total}.`,
  provider: 'Способ оплаты',
  providers: {
    kaspi: 'Kaspi QR',
    'freedom-pay': 'Freedom Pay',
    'merchant-qr': 'QR банка',
    transfer: 'Банковский перевод',
    'sandbox-bank': 'Тестовый банк',
    terminal: 'Внесено оператором',
  },
  confirmations: {
    notice: 'Зачислим сразу после оплаты.',
    poll: 'Зачислим в течение минуты после оплаты.',
    operator: 'Зачислим после проверки по выписке банка, обычно в течение рабочего дня.',
  },
  payer: 'Плательщик',
  payerName: 'Название компании или ФИО',
  payerHint: 'Для чека и документов.',
  toPayment: 'Перейти к оплате',
  closed: 'Пополнение пока не подключено',
  closedNote: 'Оператор сервиса ещё не подключил приём платежей. Напишите ему.',

  orderTitle: (money: string) => `Пополнение на ${money}`,
  states: {
    pending: 'Ожидает оплаты',
    checking: 'Проверяем оплату',
    manual: 'На ручной проверке',
    paid: 'Оплачено',
    expired: 'Время истекло',
    cancelled: 'Отменено',
  },
  preparing: 'Готовим оплату…',
  preparingNote: 'Ждём ответа банка. Если это длится дольше минуты, создайте пополнение заново.',
  scan: 'Отсканируйте QR-код в приложении банка',
  scanIn: (bank: string) => `Отсканируйте QR-код в приложении ${bank}`,
  byTransfer: 'Переведите деньги по этим реквизитам',
  typeIn: (money: string, reference: string) =>
    `Введите сумму ${money}, а в назначении платежа укажите код ${reference}. По коду мы найдём ваш платёж.`,
  qrOf: (money: string, reference: string) =>
    `QR-код для оплаты: ${money}, код платежа ${reference}`,
  openBank: 'Открыть приложение банка',
  openPage: 'Открыть страницу оплаты',
  orScan: 'Или отсканируйте QR-код с другого устройства',
  toPay: 'К оплате',
  copyAmount: 'Скопировать сумму',
  reference: 'Код платежа',
  copyReference: 'Скопировать код платежа',
  requisites: {
    name: 'Получатель',
    business_id: 'БИН',
    iban: 'Счёт (ИИК)',
    bank: 'Банк',
    bic: 'БИК',
    kbe: 'КБе',
    knp: 'КНП',
    purpose: 'Назначение платежа',
  },
  purpose: (reference: string) => `Пополнение баланса, ${reference}`,
  copyOf: (what: string) => `Скопировать: ${what}`,
  timeLeft: 'Осталось',
  payUntil: 'Оплатите до',
  minutesLeft: (minutes: number) =>
    `На оплату ${pluralRu(minutes, 'осталась', 'осталось', 'осталось')} ${minutes} ${pluralRu(minutes, 'минута', 'минуты', 'минут')}`,
  timeIsOver: 'Время на оплату истекло',
  waiting: 'Страница обновится сама, когда придёт платёж. Её можно закрыть: ничего не потеряется.',
  claim: 'Я оплатил',
  cancel: 'Отменить',
  cancelTitle: 'Отменить пополнение?',
  cancelNote: 'Если оплата уже отправлена, деньги всё равно зачислятся.',
  cancelAction: 'Отменить пополнение',
  cancelled: 'Пополнение отменено',
  noConnection: 'Нет связи. Состояние обновится, когда она вернётся.',

  checkingNote: 'Спрашиваем банк. Обычно ответ приходит в течение минуты.',
  manualNote:
    'Мы ищем платёж в выписке банка, обычно это занимает до одного рабочего дня. Как только увидим его, деньги зачислятся, и страница это покажет.',
  manualAsk: (reference: string) =>
    `Если обратитесь в поддержку, назовите код платежа ${reference}.`,
  expiredNote:
    'По этому QR-коду больше не платите. Если вы уже оплатили, деньги зачислятся, как только о них сообщит банк.',
  cancelledNote: 'Если вы успели оплатить, деньги зачислятся, как только о них сообщит банк.',
  newQr: 'Создать новый QR-код',
  again: 'Пополнить ещё раз',

  paidTitle: 'Оплачено',
  credited: 'Зачислено',
  bonusCredited: 'Бонус за первое пополнение',
  balance: 'Баланс',
  paidAt: 'Когда',
  receipt: 'Чек',
  receiptNumber: (number: string) => `№ ${number}`,
  openReceipt: 'Открыть чек',
  refunded: 'Возвращено',
  payments: (count: number) => `Платежей: ${count}`,
  flags: {
    late: 'Оплачено после срока — деньги зачислены.',
    repeated: 'Оплачено ещё раз — зачислены оба платежа.',
    otherAmount: (asked: string, paid: string) =>
      `Пришла другая сумма: ${paid} вместо ${asked}. Зачислено столько, сколько пришло.`,
  },

  open: 'Незавершённые пополнения',
  continue: 'Продолжить',
  continueOf: (money: string, reference: string) => `Продолжить: ${money}, ${reference}`,
};
