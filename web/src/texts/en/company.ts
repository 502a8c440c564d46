import { pluralEn } from '../plural.ts';
import type { company as model } from '../ru/company.ts';

export const company = {
  title: 'Company',
  lead: 'Company details and message signature.',
  facts: 'About the company',
  name: 'Name',
  nameHint: 'Seen by your colleagues and by the people you invite.',
  businessId: 'BIN or IIN',
  businessIdHint: '12 digits, needed for documents.',
  digitsLeft: (count) => `Digits left: ${count}`,
  businessIdFits: 'The number is valid.',
  businessIdWrong: 'Check the digits: the number is invalid.',
  language: 'Language of messages to recipients',
  languages: { ru: 'Russian', kk: 'Kazakh', both: 'Both in one message' },
  brand: 'Message signature',
  brandHint: 'Shown at the start of the message so that recipients recognise the sender.',
  brandOffer: (count) => `Update the signature for ${count} ${pluralEn(count, 'key', 'keys')}?`,
  brandOfferAction: 'Update',
  brandOfferNote: 'New messages use it within a second. The change is recorded in the audit log.',
  brandsChanged: (count) => `Signature updated for ${count} ${pluralEn(count, 'key', 'keys')}`,
  approvalAbove: 'Approve broadcasts with more recipients than',
  approvalAboveHint:
    'Such a broadcast is confirmed by a second person, an owner or a manager. 0 means every broadcast. Leave empty for no approval.',
  noApproval: 'not required',
  preview: 'A code by SMS',
  previewLength: (length, max) => `${length} / ${max} characters, one SMS`,
  previewNote:
    'Applies to new keys. For existing keys, the signature can be updated after saving and the language on the key’s page.',
  toKeys: 'Open keys',
  saved: 'Saved',
  id: 'Company number',
  createdAt: 'Created',
  none: 'not specified',
  noBrand: 'no signature',
  security: 'Security',
  requireSecond: 'Require a second factor from everyone',
  requireSecondHint: 'Without a passkey or an authenticator app, nobody can open the company.',
  requireSecondFirst: 'First set up a second factor in your own profile.',
  toProfile: 'Open the profile',
  requireSecondTitle: 'Require a second factor from everyone?',
  requireSecondNote: (without, all) =>
    without === 0
      ? 'Everyone in the team has one, so nothing changes now.'
      : `Without one now: ${without} of ${all}. The company opens for them once they have set one up.`,
  requireSecondOn: 'A second factor is now required from everyone',
  requireSecondOff: 'A second factor is no longer required',
  requireSecondAction: 'Require from everyone',
  readOnly: (role) =>
    `Your role is ${role.toLowerCase()}: you can see these details, and an owner or a manager can change them.`,
} satisfies typeof model;
