import { ENTRY_KINDS_RU, REFUND_AT_BANK } from '@zhiber/contract/cabinet/ledger-words.ts';
import { pluralRu } from '../plural.ts';

type Write = (value: number) => string;

export const balance = {
  title: 'Баланс',
  topUp: 'Пополнить',
  available: 'Доступно',
  held: (money: string) => `Ещё ${money} в резерве: за сообщения, которые отправляются сейчас.`,
  token: '1 токен = 1 ₸',
  spentToday: 'Списано сегодня',
  spentMonth: 'Списано в этом месяце',
  runway: 'Хватит на',
  days: (days: number) =>
    days === 0
      ? 'меньше дня'
      : days > 365
        ? 'больше года'
        : `≈ ${days} ${pluralRu(days, 'день', 'дня', 'дней')}`,
  runwayNote: 'по расходу за последние 7 дней',
  noSpending: 'за последние 7 дней ничего не списано',
  debt: (money: string) => `Долг ${money}.`,
  debtNote:
    'Сумма возврата превысила остаток на балансе. Платные отправки остановлены, пока долг не погашен: он спишется при следующем пополнении.',
  pricesTitle: 'Цены',
  perPart: 'за часть',
  group: 'Сообщение в группу',
  shortening: 'Короткая ссылка без отправки',
  free: 'бесплатно',
  spendTitle: 'Расходы',
  spendRange: 'Период расходов',
  spendRanges: { '30d': '30 дней', '90d': '90 дней' },
  byDay: 'По дням и каналам',
  byDaySummary: (all: string, parts: string) => `Всего списано ${all}: ${parts}.`,
  byKey: 'По ключам',
  byPurpose: 'По назначениям',
  spendColumns: { key: 'Ключ', purpose: 'Назначение', spent: 'Списано', share: 'Доля' },
  noSpend: 'За этот период списаний нет.',
  withoutPurpose: {
    otp: 'Прочие назначения',
    link: 'Ссылки',
    group: 'Сообщения в группы',
    broadcast: 'Рассылки',
  },
  ledgerTitle: 'Проводки',
  columns: {
    number: '№',
    at: 'Время',
    kind: 'Вид',
    amount: 'Сумма',
    after: 'Остаток',
    reference: 'Основание',
  },
  kindFilter: 'Вид',
  groups: {
    topup: 'Пополнения',
    bonus: 'Бонусы',
    charge: 'Списания',
    refund: 'Возвраты',
    correction: 'Корректировки',
  },
  kinds: ENTRY_KINDS_RU,
  messages: (count: number, write: Write) =>
    `${write(count)} ${pluralRu(count, 'сообщение', 'сообщения', 'сообщений')}`,
  receipt: (number: string) => `Квитанция № ${number}`,
  order: (reference: string) => `код ${reference}`,
  refundAtBank: REFUND_AT_BANK,
  export: 'Скачать выписку',
  exportHint: 'Все проводки за выбранный период',
  exports: {
    line: { csv: 'По строкам, CSV для 1С и Excel', xlsx: 'По строкам, Excel' },
    day: { csv: 'По дням, CSV для 1С и Excel', xlsx: 'По дням, Excel' },
  },
  none: 'Проводок пока нет',
  noneNote: 'Здесь появится каждое пополнение, бонус и списание с остатком после него.',
};
