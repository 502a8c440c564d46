import type { PublicTexts } from '@zhiber/contract/pages.ts';
import { home } from './home.ts';
import { layout } from './layout.ts';
import { pricing } from './pricing.ts';
import { changelog, legal } from './site.ts';
import { ui } from './ui.ts';

/** The pages that the server renders, without the error catalogue. */
export const pages = {
  layout: {
    skip: layout.skip,
    navigation: 'Sections',
    menu: 'Menu',
    languages: 'Page language',
    docs: 'Documentation',
    pricing: 'Pricing',
    status: 'Status',
    changelog: 'Change log',
    tryIt: 'Try it',
    cabinet: 'Dashboard',
    errors: layout.helpErrors,
    openapi: 'OpenAPI',
    terms: 'Terms',
    privacy: 'Privacy',
    forDevelopers: 'For developers',
    service: 'Service',
    legal: 'Legal',
    operator: 'Operated by',
    support: 'Support',
    theme: layout.theme,
    themes: layout.themes,
    sandbox: layout.sandbox,
    sandboxNote: layout.sandboxNote,
    copy: ui.copy,
    copied: ui.copied,
  },
  home,
  pricing,
  changelog,
  legal,
  notFound: {
    title: 'There is no such page',
    text: 'Check that the address is spelled right, or start from the home page.',
    home: 'To the home page',
    perhaps: 'Perhaps you were looking for',
  },
  /** No terms of ours, and one thing that the reader can do. */
  linkNotices: {
    gone: {
      title: 'This link no longer works',
      text: 'It has expired, or the sender switched it off. Ask for a new one.',
    },
    closed: {
      title: 'This link is closed',
      text: 'The operator of the service has closed it. If you expected a message from a company, contact it directly.',
    },
    unknown: {
      title: 'There is no such link',
      text: 'Check that the address was copied whole, or open the link from the message itself.',
    },
    tooMany: {
      title: 'Too many attempts',
      text: 'Wait a minute and open the link again.',
    },
  },
  unsubscribe: {
    title: "Unsubscribe from this sender's broadcasts?",
    from: 'Sender',
    phone: 'Number',
    note: 'Sign-in codes and other messages you are waiting for will keep coming.',
    unsubscribe: 'Unsubscribe',
    fromEveryone: 'No broadcasts from anybody through this service',
    done: 'You have unsubscribed',
    doneNote: 'Broadcasts of this sender will no longer come to your number.',
    doneEveryone: 'You have unsubscribed from all broadcasts',
    doneEveryoneNote:
      'Broadcasts through this service will no longer come to your number, whoever sends them.',
  },
  /** For people who hold a receipt. */
  receipts: {
    genuine: 'The receipt is genuine',
    sample: 'This receipt is from a sandbox: no money was paid, and it has no legal force.',
    number: 'Number',
    amount: 'Amount',
    paidAt: 'Paid',
    almaty: 'Almaty',
    seller: 'Paid to',
    payer: 'Paid by',
    refund: 'Refund',
    notRefunded: 'none',
    refundedPart: 'Refunded:',
    refundedWhole: 'The payment was refunded in full',
    compare:
      'Compare with the paper: the number, the amount, the time and the payee should be the same. The name of the payer is masked here.',
    unknown: {
      title: 'There is no such receipt',
      text: 'Check that the address was typed from the paper without a mistake. If it was, the receipt is not from this service.',
    },
  },
} satisfies Omit<PublicTexts, 'bank' | 'docs' | 'errorPages' | 'status'>;
