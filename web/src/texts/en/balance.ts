import { ENTRY_KINDS_EN, REFUND_AT_BANK_EN } from '@zhiber/contract/cabinet/ledger-words.ts';
import { pluralEn } from '../plural.ts';
import type { balance as model } from '../ru/balance.ts';

export const balance = {
  title: 'Balance',
  topUp: 'Top up',
  available: 'Available',
  held: (money) => `Another ${money} on hold for messages being sent.`,
  token: '1 token = 1 ₸',
  spentToday: 'Spent today',
  spentMonth: 'Spent this month',
  runway: 'Lasts for',
  days: (days) =>
    days === 0
      ? 'less than a day'
      : days > 365
        ? 'more than a year'
        : `≈ ${days} ${pluralEn(days, 'day', 'days')}`,
  runwayNote: 'based on the last 7 days',
  noSpending: 'nothing was spent in the last 7 days',
  debt: (money) => `You owe ${money}.`,
  debtNote:
    'A refund exceeded your balance. Paid messages are stopped until the debt is repaid: it is deducted from your next top-up.',
  pricesTitle: 'Prices',
  perPart: 'per part',
  group: 'Message to a group',
  shortening: 'Short link without a message',
  free: 'free',
  spendTitle: 'Spending',
  spendRange: 'Spending period',
  spendRanges: { '30d': '30 days', '90d': '90 days' },
  byDay: 'By day and channel',
  byDaySummary: (all, parts) => `${all} spent in total: ${parts}.`,
  byKey: 'By key',
  byPurpose: 'By purpose',
  spendColumns: { key: 'Key', purpose: 'Purpose', spent: 'Spent', share: 'Share' },
  noSpend: 'Nothing was spent in this period.',
  withoutPurpose: {
    otp: 'Other purposes',
    link: 'Links',
    group: 'Messages to groups',
    broadcast: 'Broadcasts',
  },
  ledgerTitle: 'Ledger',
  columns: {
    number: 'No.',
    at: 'Time',
    kind: 'Type',
    amount: 'Amount',
    after: 'Balance',
    reference: 'Reference',
  },
  kindFilter: 'Type',
  groups: {
    topup: 'Top-ups',
    bonus: 'Bonuses',
    charge: 'Charges',
    refund: 'Refunds',
    correction: 'Corrections',
  },
  kinds: ENTRY_KINDS_EN,
  messages: (count, write) => `${write(count)} ${pluralEn(count, 'message', 'messages')}`,
  receipt: (number) => `Receipt no. ${number}`,
  order: (reference) => `code ${reference}`,
  refundAtBank: REFUND_AT_BANK_EN,
  export: 'Download statement',
  exportHint: 'All entries for the selected period',
  exports: {
    line: { csv: 'By line, CSV for 1C and Excel', xlsx: 'By line, Excel' },
    day: { csv: 'By day, CSV for 1C and Excel', xlsx: 'By day, Excel' },
  },
  none: 'No entries yet',
  noneNote: 'Every top-up, bonus and charge will be listed here, with the balance after it.',
} satisfies typeof model;
