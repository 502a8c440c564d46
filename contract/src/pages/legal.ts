/** The words around the operator's own documents. */
export type LegalTexts = {
  terms: string;
  privacy: string;
  /** Where the operator has published none. */
  missing: string;
  /** Where a sandbox has none. */
  sandbox: string;
  /** Over a text that is in Russian because it has not been translated. */
  onlyRussian: string;
};
