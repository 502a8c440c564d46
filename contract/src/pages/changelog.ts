import type { Lang } from '../languages.ts';

export const CHANGE_TAGS = ['added', 'changed', 'fixed', 'deprecated'] as const;
export type ChangeTag = (typeof CHANGE_TAGS)[number];

/** One change, as customers notice it, in every language. */
export type Change = {
  /** Part of its permanent address; never changed once published. */
  id: string;
  /** The day it was published, in Almaty: `2026-11-18`. */
  date: string;
  tag: ChangeTag;
  /** `code` in backquotes is shown as code. */
  text: Record<Lang, string>;
};

export type ChangelogTexts = {
  title: string;
  description: string;
  lead: string;
  /** The line about the core contract, kept on top. */
  unchanged: string;
  tags: Record<ChangeTag, string>;
  permalink: string;
  feeds: string;
  policyTitle: string;
  policy: readonly string[];
};
