import { pluralEn } from '../plural.ts';
import type { overview as model } from '../ru/overview.ts';

export const overview = {
  title: 'Overview',
  balance: 'Balance',
  lasts: (messengers, sms, write) =>
    `Enough for ${write(messengers)} messenger ${pluralEn(messengers, 'message', 'messages')} or ${write(sms)} SMS`,
  daysLeft: (days, write) =>
    days === 0
      ? 'Less than a day at the current pace.'
      : days > 365
        ? 'More than a year at the current pace.'
        : `≈ ${write(days)} ${pluralEn(days, 'day', 'days')} at the current pace.`,
  noSpending: 'Nothing was spent in the last 7 days.',
  held: (money) => `${money} on hold.`,
  today: 'Sent today',
  weekAgo: (count) => `${count} a week ago by this hour`,
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
      `The key “${key}” has not been used for ${days} ${pluralEn(days, 'day', 'days')}. Revoke it if nobody needs it.`,
    many_failures: (_, count) =>
      `${count} ${pluralEn(count, 'message was', 'messages were')} not delivered in the last day.`,
  },
  look: 'Take a look',
  stepsTitle: 'First steps',
  stepsDone: (done, all) => `${done} of ${all}`,
  hideSteps: 'Hide',
  stepDone: 'done',
  steps: {
    has_test_send: {
      title: 'Send a test code',
      note: 'Free of charge: the message arrives in the virtual phone.',
      action: 'To the playground',
    },
    has_verified: {
      title: 'Verify the code',
      note: 'Enter the code that came: this is how your service knows that a number is real.',
      action: 'Verify',
    },
    has_live_key: {
      title: 'Create a live key',
      note: 'A key is shown once. Keep it on your server.',
      action: 'To the keys',
    },
    has_live_send: {
      title: 'Send the first real message',
      note: 'Put the live key where the test key was: the requests stay the same.',
      action: 'API description',
    },
    has_colleague: {
      title: 'Invite a colleague',
      note: 'Everyone has a role: an accountant sees the money, a developer the keys.',
      action: 'Invite',
    },
  },
  chartsTitle: 'Over time',
  modeLabel: 'Mode of the keys',
  allModes: 'All',
  charts: {
    nothing: 'There is nothing in this period.',
    sends: 'Sent by channel',
    sendsSummary: (all, parts) => `${all} sent in total: ${parts}.`,
    share: 'Share confirmed',
    shareSummary: (share) => `${share} of the messages were confirmed.`,
    time: 'Time to confirm',
    timeSummary: (least, most) => `Half of the messages are confirmed within ${least} to ${most}.`,
    half: 'Half (p50)',
    almostAll: '95% (p95)',
    spent: 'Spent',
    spentSummary: (money) => `${money} was charged in this period.`,
  },
  lastTitle: 'Latest messages',
  allMessages: 'All messages',
} satisfies typeof model;
