import { pluralEn } from '../plural.ts';
import type { overview as model } from '../ru/overview.ts';

const LAST_WEEKDAYS = [
  'last Sunday',
  'last Monday',
  'last Tuesday',
  'last Wednesday',
  'last Thursday',
  'last Friday',
  'last Saturday',
];

export const overview = {
  title: 'Overview',
  balance: 'Balance',
  lasts: (messengers, sms, write) =>
    `Enough for ${write(messengers)} messenger ${pluralEn(messengers, 'message', 'messages')} or ${write(sms)} SMS`,
  daysLeft: (days, write) =>
    days === 0
      ? 'Lasts less than a day at the current pace.'
      : days > 365
        ? 'Lasts more than a year at the current pace.'
        : `Lasts about ${write(days)} ${pluralEn(days, 'day', 'days')} at the current pace.`,
  noSpending: 'Nothing was spent in the last 7 days.',
  held: (money) => `${money} on hold.`,
  today: 'Sent today',
  weekAgo: (count, weekday) => `${count} by this time ${LAST_WEEKDAYS[weekday]}`,
  confirmedToday: 'Delivery confirmed',
  confirmedOf: (confirmed, sends) => `${confirmed} of ${sends} today`,
  staleSince: (clock) => `As of ${clock}: could not be refreshed`,
  problemsTitle: 'Needs attention',
  problems: {
    low_balance: (money) => `${money} left on the balance: sending will stop soon.`,
    channel_failing: (channel, count) =>
      `${channel}: ${count} ${pluralEn(count, 'send', 'sends')} did not go through in the last hour.`,
    webhook_failing: (url, hours) =>
      `The webhook ${url} has been failing for ${hours} ${pluralEn(hours, 'hour', 'hours')}.`,
    webhook_off: (url) => `The webhook ${url} was switched off: your server did not answer.`,
    key_idle: (key, days) =>
      `The key “${key}” has not been used for ${days} ${pluralEn(days, 'day', 'days')}. Revoke it if it is not needed.`,
    key_expired: (key) =>
      `The key “${key}” has expired: its requests are refused. Extend or revoke it.`,
    key_expires: (key, days) =>
      days === 0
        ? `The key “${key}” expires today.`
        : `The key “${key}” expires in ${days} ${pluralEn(days, 'day', 'days')}.`,
    many_failures: (_, count) =>
      `${count} ${pluralEn(count, 'message was', 'messages were')} not delivered in the last day.`,
  },
  look: 'View',
  stepsTitle: 'First steps',
  stepsDone: (done, all) => `${done} of ${all}`,
  nameQuestion: 'What is your name?',
  notNow: 'Not now',
  hideSteps: 'Hide',
  stepDone: 'done',
  steps: {
    has_test_send: {
      title: 'Send a test code',
      note: 'Free of charge: the message arrives in the virtual phone.',
      action: 'Open the playground',
    },
    has_verified: {
      title: 'Verify the code',
      note: 'Enter the code you received: this is how your service verifies a number.',
      action: 'Verify',
    },
    has_live_key: {
      title: 'Create a live key',
      note: 'A key is shown once. Keep it on your server.',
      action: 'Go to API keys',
    },
    has_live_send: {
      title: 'Send your first live message',
      note: 'Replace the test key with the live key: the requests stay the same.',
      action: 'API reference',
    },
    has_colleague: {
      title: 'Invite a colleague',
      note: 'Everyone has a role: an accountant sees the money, a developer the keys.',
      action: 'Invite',
    },
  },
  chartsTitle: 'Over time',
  modeLabel: 'Key mode',
  allModes: 'All',
  charts: {
    nothing: 'No data for this period.',
    seconds: 's',
    sends: 'Sent by channel',
    sendsSummary: (all, parts) => `${all} sent in total: ${parts}.`,
    share: 'Delivery rate',
    shareSummary: (share) => `Delivery confirmed for ${share} of messages.`,
    time: 'Time to delivery',
    timeSummary: (least, most) =>
      `Median time to delivery: ${least === most ? least : `${least}–${most}`}.`,
    half: 'Median: half are faster',
    almostAll: 'p95: 95% are faster',
    spent: 'Spent',
    spentSummary: (money) => `${money} was charged in this period.`,
  },
  lastTitle: 'Latest messages',
  allMessages: 'All messages',
} satisfies typeof model;
