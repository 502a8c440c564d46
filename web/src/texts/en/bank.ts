import type { PublicTexts } from '@zhiber/contract/pages.ts';

/** The page that plays the app of a bank, in the sandbox. */
export const bank: PublicTexts['bank'] = {
  title: 'Sandbox bank',
  note: 'Stands in for a bank app. No real money is taken.',
  seller: 'Payee',
  purpose: 'Purpose',
  reference: 'Payment code',
  until: 'Pay by',
  almaty: 'Almaty',
  states: {
    waiting: 'Waiting for payment',
    expired: 'Expired',
    paid: 'Paid',
    cancelled: 'Cancelled',
  },
  pay: 'Pay',
  payAgain: 'Pay once more',
  otherWays: 'Try other cases',
  payLate: 'Pay after the deadline',
  payTwice: 'Pay twice',
  otherAmount: 'Another amount, ₸',
  payOther: 'Pay this amount',
  wrongAmount: 'Enter a whole number from 1 to 1,000,000,000.',
  cancel: 'Cancel the payment',
  paymentsTitle: 'Payments',
  notified: 'The service has been notified',
  notNotified:
    'The service did not accept the notice and will learn of the payment when it asks the bank',
  refund: 'Refund',
  refunded: 'Refunded:',
  toBalance: 'Back to the balance',
};
