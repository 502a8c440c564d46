import { pluralEn } from '../plural.ts';
import type { Texts } from '../ru.ts';

export const alerts: Texts['alerts'] = {
  stopped: (balance, price) =>
    `Sending has stopped: the balance is ${balance}, a message costs from ${price}.`,
  refused: (count, shown, since) =>
    `${shown} ${pluralEn(count, 'send', 'sends')} refused since ${since}.`,
  refusedMany: (max, since) => `More than ${max} sends refused since ${since}.`,
  owed: (debt) =>
    `Sending has stopped: after a refund the company owes ${debt}. The next top-up pays it first.`,
  short: (balance, price) =>
    `The balance is ${balance} and a message costs from ${price}: new sends will be refused.`,
  low: (balance) => `${balance} left on the balance.`,
  lasts: (days) =>
    days < 1
      ? 'At the present pace it lasts less than a day.'
      : `At the present pace it lasts about ${days} ${pluralEn(days, 'day', 'days')}.`,
  topUp: 'Top up',
  ask: (names) => `Who can top up: ${names}.`,

  title: 'Balance alert',
  lead: 'We notify you when the balance falls below this amount, once a day at most.',
  threshold: 'Threshold, ₸',
  thresholdHint: 'Leave it empty for no alert.',
  emails: 'E-mail addresses',
  emailsHint: (max) => `Separated by commas, ${max} at most.`,
  toMembers: (addresses) => `Empty means everybody who sees the balance: ${addresses}.`,
  toNobody: 'Empty means everybody who sees the balance. None of them has an address yet.',
  noMail: 'The operator has not set up e-mail, so no e-mails are sent.',
  telegramMembers: 'Write in Telegram to those who see the balance',
  telegramMembersHint: (names) => `The bot can write to ${names}.`,
  telegramNobody: 'None of them has written to the Zhiber bot yet.',
  telegramGroup: 'Telegram group',
  noGroup: 'No group',
  saved: 'Saved',
  isOff: 'Off',
  membersWhoSee: 'Everybody who sees the balance',
  announcedAt: 'Last alert',
  never: 'None yet',
};
