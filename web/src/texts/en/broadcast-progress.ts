import { RECIPIENT_TEXTS_EN } from '@zhiber/contract/cabinet/recipient-texts.ts';
import { capitaliseAll } from '../capitalise.ts';
import { pluralEn } from '../plural.ts';
import type { broadcastProgress as model } from '../ru/broadcast-progress.ts';

export const broadcastProgress: typeof model = {
  outcomes: capitaliseAll(RECIPIENT_TEXTS_EN.outcomes),
  skipped: capitaliseAll(RECIPIENT_TEXTS_EN.skipped),

  scheduled: (time) => `Starts ${time}, Almaty time`,
  scheduledAtOnce: 'Starts within a minute',
  scheduledNote: 'Until then it can be moved back to drafts and changed.',
  withdraw: 'Back to drafts',

  pauses: {
    person: {
      title: 'Paused',
      advice: 'Paused by a colleague. Resume when you are ready.',
    },
    operator: {
      title: 'Stopped by the service operator',
      advice: 'Contact the service operator to find out what to fix.',
    },
    quiet: {
      title: 'Quiet hours',
      advice: 'Nothing is sent during these hours. The broadcast will resume automatically.',
    },
    money: {
      title: 'Insufficient funds',
      advice: 'Top up your balance: the broadcast will resume automatically from where it stopped.',
    },
    failures: {
      title: 'Too many failures',
      advice:
        'More than 20% of the latest messages were not delivered, so we stopped. See the reasons below, fix them and resume.',
    },
    channel: {
      title: 'Channel unavailable',
      advice: 'The broadcast will resume automatically once the channel works again.',
    },
    suspended: {
      title: 'Your company is suspended',
      advice: 'The reason is on the company page. Contact the service operator.',
    },
    late: {
      title: 'The start time has passed',
      advice: 'The service was down when the broadcast was due. You can send it now.',
    },
  },
  detail: 'Details',
  resumesAt: (time) => `Resumes ${time}, Almaty time.`,
  topUp: 'Top up',
  pause: 'Pause',
  paused: (count, shown) =>
    count === 0
      ? 'The broadcast is paused. Nothing else was passed to the channels.'
      : `The broadcast is paused. ${shown} ${pluralEn(count, 'message is', 'messages are')} already with the channels and will arrive.`,
  resume: 'Resume',
  resumeFrom: (number) => `Continues from recipient ${number}; no one gets it twice.`,
  resumed: 'The broadcast continues',
  cancel: 'Stop permanently',
  cancelTitle: 'Stop this broadcast permanently?',
  cancelNote: (left, held) =>
    `Recipients left without a message: ${left}. The ${held} on hold return to your balance. Sent messages cannot be recalled, and the broadcast cannot be resumed.`,
  cancelled: 'The broadcast is stopped',

  progress: 'Progress',
  done: (taken, all) => `${taken} of ${all}`,
  announced: (percent) => `${percent}% sent`,
  outcome: 'Status',
  recipients: 'Recipients',
  share: 'Share',
  total: 'Total',
  rate: 'Speed',
  perSecond: (rate) => `${rate} per second`,
  perMinute: (rate) => `${rate} per minute`,
  endsAt: 'Expected end',
  unknownEnd: 'Not known yet',
  charged: 'Spent',
  held: (money) => `${money} on hold`,
  clicked: 'Clicked the link',
  unsubscribed: 'Unsubscribed',
  started: 'Started',
  ended: 'Ended',
  text: 'Text',
  whatsappTemplate: 'WhatsApp template',
  link: 'Link',
  tabIsSafe: 'You can close this tab: the broadcast runs on the server.',

  funnel: 'Funnel',
  funnelSteps: {
    sent: 'Sent',
    delivered: 'Delivered',
    read: 'Read',
    clicked: 'Clicked the link',
    unsubscribed: 'Unsubscribed',
  },
  funnelNote:
    'Shares are of all recipients. WhatsApp and Telegram report reading, SMS does not. Robots are not counted as clicks.',
  times: 'Over time',
  timesSummary: (sent, delivered, failed, clicked) =>
    `Sent ${sent}, delivered ${delivered}, not delivered ${failed}, clicked ${clicked}.`,
  minute: 'Minute',
  hour: 'Hour',
  series: {
    sent: 'Sent',
    delivered: 'Delivered',
    failed: 'Not delivered',
    clicked: 'Clicked the link',
  },
  byChannel: 'By channel',
  channel: 'Channel',
  noneCarried: 'The channels have not accepted anything yet.',
  reasons: 'Reasons for non-delivery',
  reason: 'Reason',
  noReason: 'No reason given',
  noReasons: 'No failures.',
  lastFailures: 'Latest failures',
  list: 'Recipients',
  show: 'Show',
  filters: {
    all: 'All',
    clicked: 'Clicked',
    not_clicked: 'Not clicked',
    failed: 'Not delivered',
    unknown: 'Outcome unknown',
    skipped: 'Not sent',
  },
  number: 'Row',
  phone: 'Phone',
  cost: 'Cost',
  clickedAt: 'Clicked',
  nobody: 'There are no such recipients.',
  export: 'Download',
  exports: {
    all: 'All recipients',
    failed: 'Not delivered',
    clicked: 'Who clicked',
    not_clicked: 'Who did not click',
  },
  formats: { xlsx: 'Excel (XLSX)', csv: 'CSV' },
  repeat: 'Resend to failed',
  repeatTitle: (count, shown) =>
    `New draft: ${shown} ${pluralEn(count, 'recipient', 'recipients')}`,
  repeatNote:
    'The text, channels and columns stay the same, and everything can be changed before sending. Unsubscribed people are skipped. Recipients with an unknown outcome are skipped as well: they may have received the message.',
  repeatAction: 'Create draft',
};
