import type { company as model } from '../ru/company.ts';

export const company = {
  title: 'Company',
  lead: 'The name and the texts that your company comes to people with.',
  facts: 'About the company',
  name: 'Name',
  nameHint: 'Seen by your colleagues and by the people you invite.',
  businessId: 'BIN or IIN',
  businessIdHint: '12 digits, needed for documents. It can stay empty.',
  digitsLeft: (count) => `Digits still to type: ${count}`,
  businessIdFits: 'The check digit fits.',
  businessIdWrong: 'Look at the digits again: the check digit does not fit.',
  language: 'Language of messages to recipients',
  languages: { ru: 'Russian', kk: 'Kazakh', both: 'Both in one message' },
  brand: 'Name in messages',
  brandHint: 'Stands at the start of the text, so that people know whom the code is from.',
  approvalAbove: 'Approve broadcasts with more recipients than',
  approvalAboveHint:
    'Such a broadcast is confirmed by a second person, an owner or a manager. 0 means every broadcast. Empty means none.',
  noApproval: 'not required',
  preview: 'How a code comes by SMS',
  previewLength: (length, max) => `${length} of ${max} characters, one SMS`,
  previewNote:
    'Keys that you create after saving get this language and name. Earlier keys keep their own; change them on the page of the key.',
  toKeys: 'Open keys',
  saved: 'Saved',
  id: 'Company number',
  createdAt: 'Created',
  none: 'not given',
  noBrand: 'not given',
  security: 'Security',
  requireSecond: 'Require a second factor of everybody',
  requireSecondHint: 'Without a passkey or an authenticator app, nobody can open the company.',
  requireSecondFirst: 'First set up a second factor in your own profile.',
  toProfile: 'Open the profile',
  requireSecondTitle: 'Require a second factor of everybody?',
  requireSecondNote: (without, all) =>
    without === 0
      ? 'Everybody in the team has one, so nothing changes now.'
      : `Without one now: ${without} of ${all}. The company opens for them once they have set one up.`,
  requireSecondOn: 'A second factor is now required of everybody',
  requireSecondOff: 'A second factor is no longer required',
  requireSecondAction: 'Require of everybody',
  readOnly: (role) =>
    `Your role is ${role.toLowerCase()}: you see these facts, and an owner or a manager changes them.`,
} satisfies typeof model;
