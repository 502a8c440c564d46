import type { PaperLang } from '@zhiber/contract/cabinet/papers.ts';

/** The ways to pay as a paper names them; others, by their own names. */
type Ways = Readonly<Record<string, string>>;

/** Kinds of entries in the order in which a balance is reconciled. */
export const BALANCE_ROWS = [
  'topup',
  'welcome_bonus',
  'first_topup_bonus',
  'correction',
  'refund_refused',
  'refund',
  'bonus_taken_back',
  'debt_paid',
] as const;
export type BalanceRow = (typeof BALANCE_ROWS)[number];

export type PaperTexts = {
  businessId: string;
  address: string;
  almaty: string;
  page: string;
  foot: string;
  sandbox: string;
  ways: Ways;
  withoutVat: string;
  vat(rate: number): string;
  receipt: {
    title(number: string): string;
    dated(date: string): string;
    seller: string;
    payer: string;
    company: string;
    amount: string;
    words: string;
    purpose: string;
    purposeText: string;
    paidAt: string;
    creditedAt: string;
    way: string;
    payment: string;
    order: string;
    credited: string;
    line: string;
    sum: string;
    topup: string;
    bonus: string;
    total: string;
    isLate: string;
    isRepeated: string;
    isOtherAmount(asked: string): string;
    refund(amount: string, date: string): string;
    refundAsked(amount: string, date: string): string;
    refunded: string;
    check: string;
    fiscal(number: string): string;
    valid: string;
  };
  invoice: {
    title(number: string): string;
    dated(date: string): string;
    beneficiary: string;
    iban: string;
    kbe: string;
    bank: string;
    bic: string;
    knp: string;
    seller: string;
    buyer: string;
    columns: {
      number: string;
      name: string;
      count: string;
      unit: string;
      price: string;
      sum: string;
    };
    service: string;
    unit: string;
    total: string;
    words: string;
    purpose: string;
    purposeText(reference: string): string;
    keepReference: string;
    until(date: string): string;
    signature: string;
    executor: string;
  };
  act: {
    title(number: string): string;
    dated(date: string): string;
    seller: string;
    buyer: string;
    period: string;
    columns: {
      number: string;
      name: string;
      unit: string;
      count: string;
      price: string;
      sum: string;
    };
    message(channel: string): string;
    messages: string;
    unit: string;
    adjustment: string;
    nothing: string;
    total: string;
    words: string;
    accepted: string;
    fromLedger: string;
    balance: string;
    balanceRow: string;
    opening: string;
    rows: Record<BalanceRow, string>;
    services: string;
    closing: string;
    gave: string;
    took: string;
    signature: string;
    table: {
      sheet: string;
      section: string;
      servicesSection: string;
      balanceSection: string;
      number: string;
      date: string;
      seller: string;
      sellerId: string;
      buyer: string;
      buyerId: string;
      vatRate: string;
      vatSum: string;
    };
  };
};

export const PAPER_TEXTS: Readonly<Record<PaperLang, PaperTexts>> = {
  ru: {
    businessId: 'БИН/ИИН',
    address: 'Адрес',
    almaty: 'время Алматы',
    page: 'стр.',
    foot: 'Сформировано в сервисе Zhiber',
    sandbox: 'ПЕСОЧНИЦА. Учебный документ: оплаты не было, юридической силы он не имеет.',
    ways: {
      terminal: 'Внесено оператором сервиса',
      kaspi: 'Kaspi QR',
      'freedom-pay': 'Freedom Pay',
      'merchant-qr': 'QR банка',
      transfer: 'Банковский перевод',
      'sandbox-bank': 'Банк песочницы',
    },
    withoutVat: 'Без НДС',
    vat: (rate) => `В том числе НДС ${rate} %`,
    receipt: {
      title: (number) => `Квитанция №\u{a0}${number}`,
      dated: (date) => `от ${date}`,
      seller: 'Получатель',
      payer: 'Плательщик',
      company: 'Компания в сервисе',
      amount: 'Сумма',
      words: 'Сумма прописью',
      purpose: 'Назначение',
      purposeText: 'Пополнение баланса в сервисе Zhiber',
      paidAt: 'Оплачено',
      creditedAt: 'Зачислено',
      way: 'Способ оплаты',
      payment: 'Номер платежа',
      order: 'Код платежа',
      credited: 'Зачислено на баланс',
      line: 'Что зачислено',
      sum: 'Сумма',
      topup: 'Пополнение',
      bonus: 'Бонус за первое пополнение',
      total: 'Итого на баланс',
      isLate: 'Оплачено после окончания срока заказа. Сумма зачислена полностью.',
      isRepeated: 'Повторная оплата того же заказа. Сумма зачислена отдельно.',
      isOtherAmount: (asked) =>
        `Оплачена не та сумма, что в заказе (${asked}). Зачислено столько, сколько оплачено.`,
      refund: (amount, date) => `Возвращено ${amount}, ${date}.`,
      refundAsked: (amount, date) => `Возвращается ${amount}, начато ${date}.`,
      refunded: 'Платёж возвращён полностью.',
      check: 'Подлинность квитанции и сведения о возврате: отсканируйте код или откройте адрес',
      fiscal: (number) => `Фискальный чек №\u{a0}${number}`,
      valid: 'Действительна без подписи и печати.',
    },
    invoice: {
      title: (number) => `Счёт на оплату №\u{a0}${number}`,
      dated: (date) => `от ${date}`,
      beneficiary: 'Бенефициар',
      iban: 'ИИК',
      kbe: 'КБе',
      bank: 'Банк бенефициара',
      bic: 'БИК',
      knp: 'Код назначения платежа (КНП)',
      seller: 'Поставщик',
      buyer: 'Покупатель',
      columns: {
        number: '№',
        name: 'Наименование',
        count: 'Кол-во',
        unit: 'Ед.',
        price: 'Цена, ₸',
        sum: 'Сумма, ₸',
      },
      service: 'Пополнение баланса в сервисе Zhiber (коды и короткие ссылки)',
      unit: 'услуга',
      total: 'Итого',
      words: 'Всего к оплате',
      purpose: 'Назначение платежа',
      purposeText: (reference) => `Пополнение баланса Zhiber, заказ ${reference}`,
      keepReference:
        'Не меняйте назначение платежа: по коду в нём деньги зачисляются вашей компании.',
      until: (date) => `Счёт действителен до ${date}.`,
      signature: 'подпись, М.П.',
      executor: 'Исполнитель',
    },
    act: {
      title: (number) => `Акт выполненных работ (оказанных услуг) №\u{a0}${number}`,
      dated: (date) => `от ${date}`,
      seller: 'Исполнитель',
      buyer: 'Заказчик',
      period: 'Период',
      columns: {
        number: '№',
        name: 'Наименование услуги',
        unit: 'Ед.',
        count: 'Кол-во',
        price: 'Цена, ₸',
        sum: 'Сумма, ₸',
      },
      message: (channel) => `Доставка сообщений: ${channel}`,
      messages: 'Доставка сообщений',
      unit: 'сообщ.',
      adjustment: 'Перерасчёт: смена канала, отмена списания, сообщения на границе месяца',
      nothing: 'В этом месяце платных услуг не было.',
      total: 'Итого',
      words: 'Всего оказано услуг на сумму',
      accepted: 'Услуги за период оказаны, заказчик претензий по объёму и качеству не имеет.',
      fromLedger:
        'Сами сообщения за этот месяц уже удалены по сроку хранения, поэтому каналы не разделены: суммы взяты из проводок.',
      balance: 'Сверка баланса за период',
      balanceRow: 'Показатель',
      opening: 'Остаток на начало периода',
      rows: {
        topup: 'Пополнения',
        welcome_bonus: 'Приветственный бонус',
        first_topup_bonus: 'Бонус за первое пополнение',
        correction: 'Корректировки',
        refund_refused: 'Отклонённые возвраты',
        refund: 'Возвраты платежей',
        bonus_taken_back: 'Отмена бонуса',
        debt_paid: 'Погашение долга',
      },
      services: 'Услуги по этому акту',
      closing: 'Остаток на конец периода',
      gave: 'Исполнитель',
      took: 'Заказчик',
      signature: 'должность, подпись, М.П.',
      table: {
        sheet: 'Акт',
        section: 'Раздел',
        servicesSection: 'Услуги',
        balanceSection: 'Баланс',
        number: 'Номер акта',
        date: 'Дата акта',
        seller: 'Исполнитель',
        sellerId: 'БИН исполнителя',
        buyer: 'Заказчик',
        buyerId: 'БИН заказчика',
        vatRate: 'Ставка НДС, %',
        vatSum: 'Сумма НДС, ₸',
      },
    },
  },
  kk: {
    businessId: 'БСН/ЖСН',
    address: 'Мекенжайы',
    almaty: 'Алматы уақыты',
    page: 'бет',
    foot: 'Zhiber сервисінде жасалды',
    sandbox: 'ҚҰМСАЛҒЫШ. Оқу құжаты: төлем болған жоқ, заңды күші жоқ.',
    ways: {
      terminal: 'Сервис операторы енгізді',
      kaspi: 'Kaspi QR',
      'freedom-pay': 'Freedom Pay',
      'merchant-qr': 'Банктің QR коды',
      transfer: 'Банк аударымы',
      'sandbox-bank': 'Құмсалғыш банкі',
    },
    withoutVat: 'ҚҚС-сыз',
    vat: (rate) => `Оның ішінде ҚҚС ${rate} %`,
    receipt: {
      title: (number) => `Түбіртек №\u{a0}${number}`,
      dated: (date) => date,
      seller: 'Алушы',
      payer: 'Төлеуші',
      company: 'Сервистегі компания',
      amount: 'Сомасы',
      words: 'Сомасы жазумен',
      purpose: 'Мақсаты',
      purposeText: 'Zhiber сервисіндегі балансты толтыру',
      paidAt: 'Төленді',
      creditedAt: 'Балансқа түсті',
      way: 'Төлем тәсілі',
      payment: 'Төлем нөмірі',
      order: 'Төлем коды',
      credited: 'Балансқа түскені',
      line: 'Түсім',
      sum: 'Сомасы',
      topup: 'Толтыру',
      bonus: 'Алғашқы толтыру бонусы',
      total: 'Балансқа барлығы',
      isLate: 'Тапсырыс мерзімі біткен соң төленді. Сома толық есепке алынды.',
      isRepeated: 'Сол тапсырыс бойынша қайта төлем. Сома бөлек есепке алынды.',
      isOtherAmount: (asked) =>
        `Тапсырыстағыдан (${asked}) басқа сома төленді. Қанша төленсе, сонша есепке алынды.`,
      refund: (amount, date) => `Қайтарылды: ${amount}, ${date}.`,
      refundAsked: (amount, date) => `Қайтарылып жатыр: ${amount}, басталғаны ${date}.`,
      refunded: 'Төлем толық қайтарылды.',
      check:
        'Түбіртектің түпнұсқалығы және қайтару туралы мәлімет: кодты сканерлеңіз немесе мекенжайды ашыңыз',
      fiscal: (number) => `Фискалдық чек №\u{a0}${number}`,
      valid: 'Қолсыз және мөрсіз жарамды.',
    },
    invoice: {
      title: (number) => `Төлемге арналған шот №\u{a0}${number}`,
      dated: (date) => date,
      beneficiary: 'Бенефициар',
      iban: 'ЖСК',
      kbe: 'Кбе',
      bank: 'Бенефициардың банкі',
      bic: 'БСК',
      knp: 'Төлем мақсатының коды (ТМК)',
      seller: 'Жеткізуші',
      buyer: 'Сатып алушы',
      columns: {
        number: '№',
        name: 'Атауы',
        count: 'Саны',
        unit: 'Өлш.',
        price: 'Бағасы, ₸',
        sum: 'Сомасы, ₸',
      },
      service: 'Zhiber сервисіндегі балансты толтыру (кодтар мен қысқа сілтемелер)',
      unit: 'қызмет',
      total: 'Барлығы',
      words: 'Төлеуге барлығы',
      purpose: 'Төлем мақсаты',
      purposeText: (reference) => `Zhiber балансын толтыру, тапсырыс ${reference}`,
      keepReference:
        'Төлем мақсатын өзгертпеңіз: ақша компанияңыздың балансына ондағы код бойынша түседі.',
      until: (date) => `Шоттың жарамды мерзімі: ${date}.`,
      signature: 'қолы, М.О.',
      executor: 'Орындаушы',
    },
    act: {
      title: (number) => `Орындалған жұмыстар (көрсетілген қызметтер) актісі №\u{a0}${number}`,
      dated: (date) => date,
      seller: 'Орындаушы',
      buyer: 'Тапсырыс беруші',
      period: 'Кезең',
      columns: {
        number: '№',
        name: 'Қызметтің атауы',
        unit: 'Өлш.',
        count: 'Саны',
        price: 'Бағасы, ₸',
        sum: 'Сомасы, ₸',
      },
      message: (channel) => `Хабарлама жеткізу: ${channel}`,
      messages: 'Хабарлама жеткізу',
      unit: 'хабарл.',
      adjustment:
        'Қайта есептеу: арнаның ауысуы, есептен шығарудың күшін жою, ай шегіндегі хабарламалар',
      nothing: 'Бұл айда ақылы қызмет болған жоқ.',
      total: 'Барлығы',
      words: 'Көрсетілген қызметтердің жалпы сомасы',
      accepted:
        'Кезең ішіндегі қызметтер көрсетілді, тапсырыс берушінің көлемі мен сапасына шағымы жоқ.',
      fromLedger:
        'Осы айдың хабарламалары сақтау мерзімі бойынша жойылған, сондықтан арналарға бөлінбеген: сомалар баланс жазбаларынан алынды.',
      balance: 'Кезең бойынша балансты салыстыру',
      balanceRow: 'Көрсеткіш',
      opening: 'Кезең басындағы қалдық',
      rows: {
        topup: 'Толтырулар',
        welcome_bonus: 'Тіркелу бонусы',
        first_topup_bonus: 'Алғашқы толтыру бонусы',
        correction: 'Түзетулер',
        refund_refused: 'Қабылданбаған қайтарулар',
        refund: 'Төлемдерді қайтару',
        bonus_taken_back: 'Бонустың күшін жою',
        debt_paid: 'Қарызды өтеу',
      },
      services: 'Осы акт бойынша қызметтер',
      closing: 'Кезең соңындағы қалдық',
      gave: 'Орындаушы',
      took: 'Тапсырыс беруші',
      signature: 'лауазымы, қолы, М.О.',
      table: {
        sheet: 'Акт',
        section: 'Бөлім',
        servicesSection: 'Қызметтер',
        balanceSection: 'Баланс',
        number: 'Акт нөмірі',
        date: 'Акт күні',
        seller: 'Орындаушы',
        sellerId: 'Орындаушының БСН-і',
        buyer: 'Тапсырыс беруші',
        buyerId: 'Тапсырыс берушінің БСН-і',
        vatRate: 'ҚҚС мөлшерлемесі, %',
        vatSum: 'ҚҚС сомасы, ₸',
      },
    },
  },
};
