import type { PricingTexts } from '@zhiber/contract/pages/pricing.ts';

/** `/pricing`. */
export const pricing = {
  title: 'Pricing',
  description:
    'Prices of WhatsApp, Telegram and SMS messages in tenge, with a calculator. Only successful sends are charged.',
  lead: 'Only successful sends are charged. There is no subscription and no set-up fee.',
  columns: { what: 'What', price: 'Price', when: 'When it is charged' },
  rows: {
    whatsapp: { title: 'WhatsApp message', note: 'a code or a link, after a successful send' },
    telegram: { title: 'Telegram message', note: 'a code or a link, after a successful send' },
    sms: { title: 'SMS', note: 'a code or a link, after a successful send' },
    group: { title: 'Message to a messenger group', note: 'after a successful send' },
    shorten: { title: 'Short link without a message', note: 'never' },
    verify: { title: 'Verifying a code', note: 'never' },
  },
  perMessage: 'per message',
  perPart: 'per part',
  smsPerPart: 'a code or a link; a part is 70 letters of Cyrillic or 160 of Latin',
  free: 'free',
  neverTitle: 'What is never charged',
  never: [
    'Any response with `success: false`: a channel refusal, an error in the request, an exceeded limit or a failure on our side.',
    'Verifying a code, regardless of the number of attempts.',
    'Shortening links and opening them.',
    'Everything sent with a test key.',
  ],
  autoTitle: 'What auto costs',
  auto: 'One send is one charge. If the same code goes out by the next channel, you pay for the channel that delivered it. If none delivered, the price from the response applies. Broadcasts are charged at the same prices for each recipient.',
  bonusTitle: 'Credits and top-ups',
  welcome:
    '{welcome} of credit when you sign up. Enough for this many messages: WhatsApp {whatsapp}, SMS {sms}.',
  firstTopup: '{bonus} on top of your first top-up.',
  minimum: 'Top up by QR, {amount} or more at a time, with a receipt for every payment.',
  token: '1 token = 1 ₸.',
  calculator: {
    title: 'Calculator',
    lead: 'How many messages a month, and what share goes by each channel.',
    messages: 'Messages a month',
    share: 'Share, %',
    count: 'Messages × price',
    cost: 'Cost',
    total: 'Total a month',
    calculate: 'Calculate',
    wrongMessages: 'Enter a whole number of messages from 1 to {max}.',
    wrongShares: 'Channel shares must be whole numbers that add up to 100. Now: {sum}.',
  },
  signUp: 'Sign up',
} satisfies PricingTexts;
