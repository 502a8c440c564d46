/** Examples of code for the pages of the server, printed by the build. */
export type PublicSnippets = {
  /** In the order of the tabs. */
  languages: readonly { id: string; title: string }[];
  /** By operation, then by language. `API_URL_MARK` stands for the address of the API. */
  code: Record<'otpSend' | 'otpVerify', Record<string, string>>;
};

/** The build does not know where the service will run. */
export const API_URL_MARK = 'https://api-url.invalid';
