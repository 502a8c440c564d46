import type { ChangelogTexts } from '@zhiber/contract/pages/changelog.ts';
import type { LegalTexts } from '@zhiber/contract/pages/legal.ts';

/** `/changelog`; its entries are in `web/src/texts/changelog.ts`. */
export const changelog = {
  title: 'Change log',
  description: 'What is new in the API and the dashboard of Zhiber, month by month.',
  lead: 'What changed in the API and the dashboard, month by month, newest first.',
  unchanged:
    'The core contract is unchanged: `/otp/send`, `/otp/verify`, `/links/*`, `/group/send`, a key in the header, and JSON.',
  tags: {
    added: 'Added',
    changed: 'Changed',
    fixed: 'Fixed',
    deprecated: 'Deprecated',
  },
  permalink: 'Link to this change',
  feeds: 'Subscribe',
  policyTitle: 'How the API changes',
  policy: [
    'The addresses carry no version: they do not change.',
    'Answers only gain fields. Names, types and meanings of fields, error codes and statuses stay as they are, so ignore fields that you do not know.',
    'If something has to go, an entry “Deprecated” on this page and the headers `Deprecation` and `Sunset` of the answers say so ahead of time: since when it is deprecated, and when it stops working.',
  ],
} satisfies ChangelogTexts;

/** `/terms` and `/privacy`. */
export const legal = {
  terms: 'Terms of service',
  privacy: 'Privacy policy',
  missing:
    'This is a self-hosted installation of Zhiber, and its operator has not published this document yet. Ask the operator if you have questions.',
  sandbox:
    'This is a sandbox to get to know the service: it sends nothing to the outside and takes no real payments. The operator of a live installation publishes this document.',
  onlyRussian: 'This document is available in Russian only.',
} satisfies LegalTexts;
