import type { ErrorCode } from './api/errors.ts';
import type { ChangelogTexts } from './pages/changelog.ts';
import type { DocsTexts } from './pages/docs.ts';
import type { HomeTexts } from './pages/home.ts';
import type { LayoutTexts } from './pages/layout.ts';
import type { LegalTexts } from './pages/legal.ts';
import type { PricingTexts } from './pages/pricing.ts';
import type { StatusTexts } from './pages/status.ts';

type Notice = { title: string; text: string };

/**
 * The words of the pages that the server renders, in one language. The build of `web/` writes them
 * to `texts.json`, and the server reads them there.
 */
export type PublicTexts = {
  layout: LayoutTexts;
  home: HomeTexts;
  pricing: PricingTexts;
  changelog: ChangelogTexts;
  legal: LegalTexts;
  status: StatusTexts;
  /** For people who opened an address that leads nowhere. */
  notFound: Notice & { home: string; perhaps: string };
  /** For people who followed a short link. */
  linkNotices: { gone: Notice; closed: Notice; unknown: Notice; tooMany: Notice };
  /** For people who followed the unsubscribe link of a broadcast. */
  unsubscribe: {
    title: string;
    /** Before the name of the company. */
    from: string;
    /** Before the masked phone. */
    phone: string;
    note: string;
    unsubscribe: string;
    fromEveryone: string;
    done: string;
    doneNote: string;
    doneEveryone: string;
    doneEveryoneNote: string;
  };
  /** The page that plays the app of a bank, in the sandbox. */
  bank: {
    title: string;
    note: string;
    seller: string;
    purpose: string;
    reference: string;
    until: string;
    almaty: string;
    states: { waiting: string; expired: string; paid: string; cancelled: string };
    pay: string;
    payAgain: string;
    otherWays: string;
    payLate: string;
    payTwice: string;
    otherAmount: string;
    payOther: string;
    wrongAmount: string;
    cancel: string;
    paymentsTitle: string;
    notified: string;
    notNotified: string;
    refund: string;
    /** Before an amount. */
    refunded: string;
    toBalance: string;
  };
  /** For people who hold a receipt. */
  receipts: {
    genuine: string;
    sample: string;
    number: string;
    amount: string;
    paidAt: string;
    almaty: string;
    seller: string;
    payer: string;
    refund: string;
    notRefunded: string;
    refundedPart: string;
    refundedWhole: string;
    compare: string;
    unknown: Notice;
  };
  errorPages: {
    listTitle: string;
    listLead: string;
    columns: { code: string; status: string; meaning: string; retry: string };
    back: string;
    whatHappened: string;
    apiMessage: string;
    whatToDo: string;
    retryQuestion: string;
    retryYes: string;
    retryNo: string;
    retryYesLong: string;
    retryNoLong: string;
    chargedQuestion: string;
    chargedNever: string;
    example: string;
    related: string;
    unknownTitle: string;
    unknownText: string;
    /** A code without its meaning and advice does not compile. */
    codes: Record<ErrorCode, { meaning: string; advice: string }>;
  };
  docs: DocsTexts;
};

export type LinkNotice = keyof PublicTexts['linkNotices'];
