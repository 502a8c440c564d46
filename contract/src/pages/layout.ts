/** The words around every page that the server renders: its head, its navigation and its foot. */
export type LayoutTexts = {
  skip: string;
  navigation: string;
  /** The button of the navigation on a narrow screen. */
  menu: string;
  languages: string;
  docs: string;
  pricing: string;
  status: string;
  changelog: string;
  tryIt: string;
  cabinet: string;
  errors: string;
  openapi: string;
  terms: string;
  privacy: string;
  /** Titles of the columns of links at the foot. */
  forDevelopers: string;
  service: string;
  legal: string;
  /** Before the name of the company that runs the installation. */
  operator: string;
  support: string;
  theme: string;
  themes: { system: string; light: string; dark: string };
  sandbox: string;
  sandboxNote: string;
  copy: string;
  copied: string;
};
