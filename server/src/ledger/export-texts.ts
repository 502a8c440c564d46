import {
  ENTRY_KINDS_EN,
  ENTRY_KINDS_KK,
  ENTRY_KINDS_RU,
  type EntryKind,
  REFUND_AT_BANK,
  REFUND_AT_BANK_EN,
  REFUND_AT_BANK_KK,
} from '@zhiber/contract/cabinet/ledger-words.ts';
import type { Lang } from '@zhiber/contract/languages.ts';

/** The texts of an exported ledger. */
export type LedgerTexts = {
  sheet: string;
  company: string;
  businessId: string;
  period: string;
  /** A bound that the chosen period does not have. */
  fromStart: string;
  untilNow: string;
  madeAt: string;
  opening: string;
  moneyIn: string;
  moneyOut: string;
  closing: string;
  lines: {
    number: string;
    almaty: string;
    utc: string;
    kind: string;
    moneyIn: string;
    moneyOut: string;
    balance: string;
    messages: string;
    receipt: string;
    order: string;
    reason: string;
  };
  days: {
    day: string;
    opening: string;
    moneyIn: string;
    moneyOut: string;
    closing: string;
    messages: string;
  };
  kinds: Record<EntryKind, string>;
  /** The reason of a refund that was made at the bank. */
  refundAtBank: string;
};

export const LEDGER_TEXTS: Readonly<Record<Lang, LedgerTexts>> = {
  ru: {
    sheet: 'Проводки',
    company: 'Компания',
    businessId: 'БИН/ИИН',
    period: 'Период (Алматы)',
    fromStart: 'с начала',
    untilNow: 'по сейчас',
    madeAt: 'Сформировано (Алматы)',
    opening: 'Остаток на начало, ₸',
    moneyIn: 'Поступило, ₸',
    moneyOut: 'Списано, ₸',
    closing: 'Остаток на конец, ₸',
    lines: {
      number: 'Номер',
      almaty: 'Время (Алматы)',
      utc: 'Время (UTC)',
      kind: 'Вид',
      moneyIn: 'Поступило, ₸',
      moneyOut: 'Списано, ₸',
      balance: 'Остаток, ₸',
      messages: 'Сообщений',
      receipt: 'Квитанция',
      order: 'Код платежа',
      reason: 'Причина',
    },
    days: {
      day: 'День',
      opening: 'Остаток на начало, ₸',
      moneyIn: 'Поступило, ₸',
      moneyOut: 'Списано, ₸',
      closing: 'Остаток на конец, ₸',
      messages: 'Сообщений',
    },
    kinds: ENTRY_KINDS_RU,
    refundAtBank: REFUND_AT_BANK,
  },
  kk: {
    sheet: 'Баланс жазбалары',
    company: 'Компания',
    businessId: 'БСН/ЖСН',
    period: 'Кезең (Алматы)',
    fromStart: 'басынан',
    untilNow: 'қазірге дейін',
    madeAt: 'Жасалған уақыты (Алматы)',
    opening: 'Басындағы қалдық, ₸',
    moneyIn: 'Түсті, ₸',
    moneyOut: 'Шегерілді, ₸',
    closing: 'Соңындағы қалдық, ₸',
    lines: {
      number: 'Нөмірі',
      almaty: 'Уақыты (Алматы)',
      utc: 'Уақыты (UTC)',
      kind: 'Түрі',
      moneyIn: 'Түсті, ₸',
      moneyOut: 'Шегерілді, ₸',
      balance: 'Қалдық, ₸',
      messages: 'Хабарлама саны',
      receipt: 'Түбіртек',
      order: 'Төлем коды',
      reason: 'Себебі',
    },
    days: {
      day: 'Күн',
      opening: 'Басындағы қалдық, ₸',
      moneyIn: 'Түсті, ₸',
      moneyOut: 'Шегерілді, ₸',
      closing: 'Соңындағы қалдық, ₸',
      messages: 'Хабарлама саны',
    },
    kinds: ENTRY_KINDS_KK,
    refundAtBank: REFUND_AT_BANK_KK,
  },
  en: {
    sheet: 'Ledger',
    company: 'Company',
    businessId: 'BIN/IIN',
    period: 'Period (Almaty)',
    fromStart: 'from the start',
    untilNow: 'until now',
    madeAt: 'Created (Almaty)',
    opening: 'Opening balance, ₸',
    moneyIn: 'In, ₸',
    moneyOut: 'Out, ₸',
    closing: 'Closing balance, ₸',
    lines: {
      number: 'Number',
      almaty: 'Time (Almaty)',
      utc: 'Time (UTC)',
      kind: 'Type',
      moneyIn: 'In, ₸',
      moneyOut: 'Out, ₸',
      balance: 'Balance, ₸',
      messages: 'Messages',
      receipt: 'Receipt',
      order: 'Payment code',
      reason: 'Reason',
    },
    days: {
      day: 'Day',
      opening: 'Opening balance, ₸',
      moneyIn: 'In, ₸',
      moneyOut: 'Out, ₸',
      closing: 'Closing balance, ₸',
      messages: 'Messages',
    },
    kinds: ENTRY_KINDS_EN,
    refundAtBank: REFUND_AT_BANK_EN,
  },
};
