import type { HomeTexts } from '@zhiber/contract/pages/home.ts';

/** `/`. */
export const home = {
  pageTitle: 'Zhiber — verification codes and short links over WhatsApp, Telegram and SMS',
  description:
    'An API for one-time codes and short links to a phone: WhatsApp, Telegram, and SMS as the fallback. You pay for successful sends only.',
  title: 'Verification codes and short links over WhatsApp, Telegram and SMS',
  lead: 'Your server makes one request and your customer gets a code. If a messenger refuses it or does not confirm delivery, the same code goes out by the next channel.',
  tryIt: 'Try it',
  readDocs: 'Documentation',
  signUp: 'Sign up',
  prices: 'Per message: WhatsApp {whatsapp}, Telegram {telegram}, SMS {sms}.',
  bonus: '{bonus} of credit when you sign up. Test keys spend nothing.',
  phone: {
    label:
      'A phone gets the code 481920 over WhatsApp, the code is entered on a site, and the number is confirmed',
    brand: 'Apteka Plus',
    message: 'Аптека Плюс: код {code}. Никому его не сообщайте.',
    delivered: 'delivered',
    formTitle: 'Code from the message',
    confirmed: 'Number confirmed',
  },
  channels: {
    title: 'Three channels, one request',
    lead: 'With `channel: "auto"` messengers go first and SMS is the fallback. Each key has its own channels and order.',
    perMessage: 'per message',
    perPart: 'per part',
    whatsapp: 'Codes and links in the messenger people already use.',
    telegram: 'Codes for people who prefer Telegram.',
    sms: 'The fallback: arrives without internet, too.',
    notCharged: 'A response with `success: false` is never charged.',
    allPrices: 'All prices and a calculator',
  },
  fallback: {
    title: 'When a messenger does not confirm delivery',
    lead: 'The code gets there even if your customer has no WhatsApp or no internet. Your server does not need to do anything.',
    steps: {
      sent: '`POST /otp/send` → `success: true`',
      silent: 'not confirmed for {seconds}\u{a0}s — check the number',
      next: 'the same code goes out by SMS',
      delivered: 'delivered',
      verified: '`POST /otp/verify` → `success: true`',
    },
    charge: 'One send is one charge: you pay for the channel that delivered.',
  },
  code: {
    title: 'Your first request',
    lead: 'Plain JSON and a key in a header. No library needed.',
    languages: 'Language of the example',
    send: 'Send a code',
    verify: 'Verify the code',
    answer: 'Response',
    keyNote: 'The key stays on your server and is read from the variable `ZHIBER_KEY`.',
    testNote:
      'With a `zk_test_…` key the message arrives in the virtual phone and nothing is charged. For +7\u{a0}700\u{a0}000\u{a0}00\u{a0}00 the code is always 000000.',
  },
  security: {
    title: 'Security',
    points: [
      {
        title: 'Codes are not stored in plain text',
        text: 'The database stores only an HMAC; its key is kept elsewhere. Codes never appear in logs, history or events.',
      },
      {
        title: 'A key is shown once',
        text: 'Only its SHA-256 is stored. A key can be bound to a domain, rotated without downtime and given a spending cap.',
      },
      {
        title: 'A retry is not charged twice',
        text: 'With an `Idempotency-Key` header the repeated request gets the first response.',
      },
      {
        title: 'Protection from SMS pumping',
        text: 'Codes that no one enters are detected, and SMS to such numbers can be stopped.',
      },
      {
        title: 'Dashboard access control',
        text: 'Roles, a second factor, passkeys and an audit log of every change.',
      },
    ],
  },
  questions: {
    title: 'Questions',
    list: [
      {
        title: 'Is delivery guaranteed?',
        text: 'No, and nobody can promise it: it depends on the network, the settings of the phone and the channel itself. That is why there are three channels and failed sends are free.',
      },
      {
        title: 'A code did not arrive. What should I do?',
        text: 'Check the channel, the balance and the format of the number, then send again after a minute. The dashboard shows the history of every message step by step.',
      },
      {
        title: 'Do I need webhooks?',
        text: 'No. To sign people in and up, the responses of `/otp/send` and `/otp/verify` are enough. Webhooks are an extra.',
      },
      {
        title: 'Do you rent out virtual numbers?',
        text: 'No. The service only sends messages to your customers’ real phones.',
      },
    ],
  },
  operator: {
    title: 'Who runs the service',
    businessId: 'BIN/IIN',
    address: 'Address',
    support: 'Support',
    unnamed:
      'This is a self-hosted installation of Zhiber. Its operator has not named a company or a contact yet.',
  },
} satisfies HomeTexts;
