type Point = { title: string; text: string };

/** The words of `/`. `{name}` is filled with a number of the contract or a price in force. */
export type HomeTexts = {
  pageTitle: string;
  description: string;
  title: string;
  lead: string;
  tryIt: string;
  readDocs: string;
  signUp: string;
  /** Below the buttons: {whatsapp}, {telegram} and {sms}, what one message costs. */
  prices: string;
  /** After it: {bonus}. */
  bonus: string;
  phone: {
    /** What the drawing shows, for people who do not see it. */
    label: string;
    brand: string;
    /** {code}. */
    message: string;
    delivered: string;
    formTitle: string;
    confirmed: string;
  };
  channels: {
    title: string;
    lead: string;
    perMessage: string;
    /** Where the parts of an SMS are charged. */
    perPart: string;
    whatsapp: string;
    telegram: string;
    sms: string;
    notCharged: string;
    allPrices: string;
  };
  /** What happens when WhatsApp is silent: {seconds}. */
  fallback: {
    title: string;
    lead: string;
    steps: { sent: string; silent: string; next: string; delivered: string; verified: string };
    charge: string;
  };
  code: {
    title: string;
    lead: string;
    languages: string;
    send: string;
    verify: string;
    answer: string;
    keyNote: string;
    testNote: string;
  };
  security: { title: string; points: readonly Point[] };
  questions: { title: string; list: readonly Point[] };
  operator: {
    title: string;
    businessId: string;
    address: string;
    support: string;
    /** For an installation whose settings name nobody. */
    unnamed: string;
  };
};
