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
    text: 'Check the address or go to the home page.',
    home: 'To the home page',
    perhaps: 'Perhaps you were looking for',
  },
  /** No terms of ours, and one thing that the reader can do. */
  linkNotices: {
    gone: {
      title: 'This link no longer works',
      text: 'It has expired, or the sender switched it off. Ask the sender for a new one.',
    },
    closed: {
      title: 'This link is closed',
      text: 'The service operator has closed it. If you expected a message from a company, contact it directly.',
    },
    unknown: {
      title: 'There is no such link',
      text: 'Check that the address was copied in full, or open the link from the message.',
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
    note: 'You will still receive sign-in codes and other messages you expect.',
    unsubscribe: 'Unsubscribe',
    fromEveryone: 'Unsubscribe from all senders in this service',
    done: 'You have unsubscribed',
    doneNote: 'You will no longer receive broadcasts from this sender.',
    doneEveryone: 'You have unsubscribed from all broadcasts',
    doneEveryoneNote: 'You will no longer receive any broadcasts sent through this service.',
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
      'Compare with the document: the number, amount, time and payee must match. The name of the payer is masked here.',
    unknown: {
      title: 'There is no such receipt',
      text: 'Check that the address was typed correctly. If it is correct, the receipt was not issued by this service.',
    },
  },
} satisfies Omit<PublicTexts, 'bank' | 'docs' | 'errorPages' | 'status'>;
