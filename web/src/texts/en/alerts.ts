import { pluralEn } from '../plural.ts';
import type { Texts } from '../ru.ts';

export const alerts: Texts['alerts'] = {
  stopped: (balance, price) =>
    `Sending has stopped: the balance is ${balance}, a message costs from ${price}.`,
  refused: (count, shown, since) =>
    `${shown} ${pluralEn(count, 'send', 'sends')} refused since ${since}.`,
  refusedMany: (max, since) => `More than ${max} sends refused since ${since}.`,
  owed: (debt) =>
    `Sending has stopped: after a refund the company owes ${debt}. It is deducted from the next top-up.`,
  short: (balance, price) =>
    `The balance is ${balance} and a message costs from ${price}: new sends will be refused.`,
  low: (balance) => `${balance} left on the balance.`,
  lasts: (days) =>
    days < 1
      ? 'At the current rate it lasts less than a day.'
      : `At the current rate it lasts about ${days} ${pluralEn(days, 'day', 'days')}.`,
  topUp: 'Top up',
  ask: (names) => `Who can top up: ${names}.`,

  title: 'Balance alert',
  lead: 'We notify you when the balance falls below this amount, at most once a day.',
  threshold: 'Threshold, ₸',
  thresholdHint: 'Leave empty to turn alerts off.',
  emails: 'E-mail addresses',
  emailsHint: (max) => `Separated by commas, up to ${max}.`,
  toMembers: (addresses) => `If empty, everyone who can see the balance: ${addresses}.`,
  toNobody: 'If empty, everyone who can see the balance. None of them has an e-mail address yet.',
  noMail: 'The service operator has not set up e-mail, so no e-mails are sent.',
  telegramMembers: 'Notify those who can see the balance in Telegram',
  telegramMembersHint: (names) => `The bot can message ${names}.`,
  telegramNobody: 'None of them has started the Zhiber bot yet.',
  telegramGroup: 'Telegram group',
  noGroup: 'No group',
  saved: 'Saved',
  isOff: 'Off',
  membersWhoSee: 'Everyone who can see the balance',
  announcedAt: 'Last alert',
  never: 'None yet',
};
