/** The words of `/pricing`. `{name}` is filled with a number. */
export type PricingTexts = {
  title: string;
  description: string;
  lead: string;
  columns: { what: string; price: string; when: string };
  rows: Record<
    'whatsapp' | 'telegram' | 'sms' | 'group' | 'shorten' | 'verify',
    { title: string; note: string }
  >;
  perMessage: string;
  /** Where the parts of an SMS are charged. */
  perPart: string;
  smsPerPart: string;
  free: string;
  neverTitle: string;
  never: readonly string[];
  autoTitle: string;
  auto: string;
  bonusTitle: string;
  /** {welcome}, {whatsapp} and {sms}: how many messages it pays. */
  welcome: string;
  /** {bonus}. */
  firstTopup: string;
  /** {amount}. */
  minimum: string;
  token: string;
  calculator: {
    title: string;
    lead: string;
    messages: string;
    share: string;
    count: string;
    cost: string;
    total: string;
    calculate: string;
    wrongMessages: string;
    /** {sum}. */
    wrongShares: string;
  };
  signUp: string;
};
