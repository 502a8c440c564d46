import type { Lang } from '../languages.ts';

/** What the build makes of `web/src/docs`, for the server. It is written to `docs.json`. */
export type DocsBuild = {
  navigation: readonly DocsGroup[];
  /** By language and slug. Placeholders are left in; see `docs-placeholders.ts`. */
  pages: Readonly<Record<Lang, Readonly<Record<string, DocsPage | undefined>>>>;
  /** The address of the search index of each language, a list of `SearchEntry`. */
  searchIndex: Readonly<Record<Lang, string>>;
};

export type DocsGroup = {
  titles: Readonly<Record<Lang, string>>;
  slugs: readonly string[];
};

export type DocsHeading = { id: string; level: number; text: string };

export type DocsPage = {
  title: string;
  description: string;
  headings: readonly DocsHeading[];
  html: string;
  /** With the snippets written out, for people and programs that read Markdown. */
  markdown: string;
  /** Whether its code needs a key, so that the page offers to fill it in. */
  hasKey: boolean;
};

/** One section of a page, as the search knows it. */
export type SearchEntry = {
  /** Path and anchor, without a language. */
  url: string;
  /** The title of the page. */
  page: string;
  /** The heading of the section; empty for the beginning of a page. */
  heading: string;
  text: string;
};

/**
 * Around the lines of a snippet that differ with a known key. The build writes them as comments,
 * which show nothing, and the server keeps one of the two.
 */
export const KEY_MARKS = {
  unknown: ['<!--key-unknown-->', '<!--/key-unknown-->'],
  known: ['<!--key-known-->', '<!--/key-known-->'],
} as const;

/** Forms that a page can have, which the server puts in the place of a mark. */
export const DEMOS = ['webotp'] as const;
export type Demo = (typeof DEMOS)[number];

export function demoMark(demo: Demo): string {
  return `<!--demo-${demo}-->`;
}

/** The words around the documentation. */
export type DocsTexts = {
  title: string;
  /** To the text, past the navigation. */
  skip: string;
  menu: string;
  navigation: string;
  breadcrumb: string;
  onThisPage: string;
  previous: string;
  next: string;
  neighbours: string;
  viewMarkdown: string;
  copyMarkdown: string;
  markdownCopied: string;
  markdownNotCopied: string;
  /** The label of a note and of a warning. */
  note: string;
  warning: string;
  answer: string;
  codeLanguage: string;
  scrollableTable: string;
  search: {
    label: string;
    placeholder: string;
    submit: string;
    results: string;
    /** Before a number. */
    found: string;
    nothing: string;
    failed: string;
    pageTitle: string;
    empty: string;
  };
  unknown: { title: string; text: string; nearest: string; all: string };
  key: {
    title: string;
    sandbox: string;
    variable: string;
    own: string;
    label: string;
    hint: string;
    fill: string;
    create: string;
    forget: string;
    filled: string;
    created: string;
    forgotten: string;
    live: string;
    malformed: string;
    stale: string;
    notCreated: string;
    /** The name that a created key gets in the cabinet. */
    keyName: string;
    toKeys: string;
  };
  errorFilter: { label: string; nothing: string };
  reference: {
    title: string;
    lead: string;
    description: string;
    tryIt: string;
    openapi: string;
    postman: string;
    httpFile: string;
    base: string;
    authorization: string;
    authorizationText: string;
    withoutKey: string;
    query: string;
    headers: string;
    body: string;
    noBody: string;
    answer: string;
    answerHeaders: string;
    errors: string;
    errorsEverywhere: string;
    errorsEverywhereText: string;
    field: string;
    type: string;
    meaning: string;
    required: string;
    optional: string;
    example: string;
    exampleRequest: string;
    exampleAnswer: string;
    types: Readonly<Record<string, string>>;
    oneOf: string;
    always: string;
    /** Before a number. */
    from: string;
    upTo: string;
    charactersFrom: string;
    charactersUpTo: string;
    form: string;
    byDefault: string;
  };
  console: {
    title: string;
    lead: string;
    description: string;
    needsScript: string;
    operation: string;
    key: string;
    keyHint: string;
    body: string;
    format: string;
    send: string;
    sending: string;
    answer: string;
    headers: string;
    status: string;
    /** After a number of milliseconds. */
    ms: string;
    brokenJson: string;
    noConnection: string;
    noKey: string;
    liveKey: string;
    originHint: string;
    errorPage: string;
    boundKey: string;
  };
  webotp: {
    title: string;
    text: string;
    needsScript: string;
    noKey: string;
    phone: string;
    send: string;
    code: string;
    codeHint: string;
    check: string;
    phoneTitle: string;
    sent: string;
    waiting: string;
    right: string;
    failed: string;
    autofill: string;
  };
};
