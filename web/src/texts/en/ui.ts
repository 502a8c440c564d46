import { MESSAGE_TEXTS_EN } from '@zhiber/contract/cabinet/message-texts.ts';
import { capitaliseAll, stepTitle } from '../capitalise.ts';
import type { ui as model } from '../ru/ui.ts';

const { modes, states, outcomes } = MESSAGE_TEXTS_EN;

const steps: (typeof model)['steps'] = {
  accepted: () => 'Request accepted',
  attempt: (channel) => (channel ? `Sending over ${channel}` : 'Sending'),
  sent: stepTitle(states.sent),
  refused: stepTitle(outcomes.refused),
  unavailable: (channel) => (channel ? `${channel} is not available` : 'Channel not available'),
  unknown: stepTitle(states.unknown),
  delivered: stepTitle(states.delivered),
  read: stepTitle(states.read),
  failed: stepTitle(states.failed),
  unconfirmed: stepTitle(outcomes.unconfirmed),
  fallback: (channel) => (channel ? `Next channel: ${channel}` : 'Next channel'),
  verified: () => 'The code was entered correctly',
  clicked: () => 'The link was opened',
};

export const ui = {
  loading: 'Loading…',
  counting: (hours) =>
    `Still counting: the earliest ${hours === 1 ? 'hour is' : `${hours} hours are`} not in the figures yet`,
  close: 'Close',
  cancel: 'Cancel',
  save: 'Save',
  toasts: 'Notifications',
  undo: 'Undo',
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Could not copy: select the text and copy it yourself',
  retry: 'Try again',
  requestId: 'Request id:',
  copyRequestId: 'Copy the request id',
  whatToMend: 'What to correct',
  typeToConfirm: (word) => `To confirm, type: ${word}`,
  showMore: 'Show more',
  showNew: (count) => `Show ${count} new`,
  resetFilters: 'Reset filters',
  nothingMatches: 'Nothing matches these filters',
  noRight: 'Your role cannot see this page',
  noRightAdvice: 'An owner or a manager of the company changes roles on the Team page.',
  asTable: 'Table',
  asChart: 'Chart',
  codeLanguage: 'Language of the code',
  almaty: 'Almaty',
  never: 'never',
  optional: 'optional',
  shortcutsTitle: 'Keyboard shortcuts',
  shortcutsOn: 'Use shortcuts',
  shortcutsHint: 'Single letters work outside of input fields.',
  modes: capitaliseAll(modes),
  states: capitaliseAll(states),
  steps,
  roles: {
    owner: 'Owner',
    manager: 'Manager',
    developer: 'Developer',
    accountant: 'Accountant',
    marketer: 'Marketer',
    viewer: 'Viewer',
  },
} satisfies typeof model;
