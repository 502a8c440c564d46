/** The constants of the balance page, apart from the schemas: pages load only these. */

/** What an entry of the ledger is for. */
export const ENTRY_KINDS = [
  'welcome_bonus',
  'topup',
  'first_topup_bonus',
  'charge',
  'charge_moved',
  'correction',
  'refund',
  'bonus_taken_back',
  'refund_refused',
  'debt_paid',
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** What people filter the ledger by. Every kind is in one group. */
export const ENTRY_GROUPS = {
  topup: ['topup'],
  bonus: ['welcome_bonus', 'first_topup_bonus', 'bonus_taken_back'],
  charge: ['charge', 'charge_moved'],
  refund: ['refund', 'refund_refused', 'debt_paid'],
  correction: ['correction'],
} as const satisfies Record<string, readonly EntryKind[]>;
export type EntryGroup = keyof typeof ENTRY_GROUPS;
export const ENTRY_GROUP_NAMES = Object.keys(ENTRY_GROUPS) as EntryGroup[];

/** The reason stored with a refund that was made at the bank. Pages and files say it in their language. */
export const REFUND_AT_BANK = 'возврат на стороне банка';
export const REFUND_AT_BANK_KK = 'банк тарапынан қайтарылды';
export const REFUND_AT_BANK_EN = 'refunded by the bank';

export const SPEND_RANGES = ['30d', '90d'] as const;
export type SpendRange = (typeof SPEND_RANGES)[number];

/** The kinds in words, the same on the page and in files. A constant for each language. */
type KindTitles = Record<EntryKind, string>;

export const ENTRY_KINDS_RU: KindTitles = {
  welcome_bonus: 'Приветственный бонус',
  topup: 'Пополнение',
  first_topup_bonus: 'Бонус за первое пополнение',
  charge: 'Списание за сообщения',
  charge_moved: 'Пересчёт списания',
  correction: 'Корректировка',
  refund: 'Возврат платежа',
  bonus_taken_back: 'Отмена бонуса',
  refund_refused: 'Возврат платежа отклонён',
  debt_paid: 'Погашение долга',
};
export const ENTRY_KINDS_KK: KindTitles = {
  welcome_bonus: 'Тіркелу бонусы',
  topup: 'Толтыру',
  first_topup_bonus: 'Алғашқы толтыру бонусы',
  charge: 'Хабарламалар үшін ақы',
  charge_moved: 'Ақыны қайта есептеу',
  correction: 'Түзету',
  refund: 'Төлемді қайтару',
  bonus_taken_back: 'Бонустың күшін жою',
  refund_refused: 'Төлемді қайтарудан бас тартылды',
  debt_paid: 'Қарызды өтеу',
};
export const ENTRY_KINDS_EN: KindTitles = {
  welcome_bonus: 'Welcome bonus',
  topup: 'Top-up',
  first_topup_bonus: 'First top-up bonus',
  charge: 'Charge for messages',
  charge_moved: 'Charge adjusted',
  correction: 'Correction',
  refund: 'Refund of a payment',
  bonus_taken_back: 'Bonus reversed',
  refund_refused: 'Refund declined',
  debt_paid: 'Debt paid',
};
