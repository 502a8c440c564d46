import type { ChangelogTexts } from '@zhiber/contract/pages/changelog.ts';
import type { LegalTexts } from '@zhiber/contract/pages/legal.ts';

/** `/changelog`; its entries are in `web/src/texts/changelog.ts`. */
export const changelog = {
  title: 'Change log',
  description: 'What is new in the API and the dashboard of Zhiber, month by month.',
  lead: 'What changed in the API and the dashboard, month by month, newest first.',
  unchanged:
    'The core API is unchanged: `/otp/send`, `/otp/verify`, `/links/*`, `/group/send`, the key in the header, and JSON.',
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
    'API paths contain no version and do not change.',
    'Responses only gain new fields. Field names, types and meanings, error codes and statuses stay the same, so ignore fields you do not know.',
    'If something has to be removed, a “Deprecated” entry on this page and the `Deprecation` and `Sunset` headers in responses announce it in advance: since when it is deprecated and when it stops working.',
  ],
} satisfies ChangelogTexts;

/** `/terms` and `/privacy`. */
export const legal = {
  terms: 'Terms of service',
  privacy: 'Privacy policy',
  missing:
    'This is a self-hosted installation of Zhiber, and its operator has not published this document yet. Contact the operator with any questions.',
  sandbox:
    'This is a sandbox to get to know the service: it sends nothing outside and accepts no real payments. The operator of a live installation publishes this document.',
  onlyRussian: 'This document is available in Russian only.',
} satisfies LegalTexts;
