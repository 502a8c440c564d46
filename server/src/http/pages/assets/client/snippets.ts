export const CODE_LANGUAGES = ['curl', 'node', 'python'] as const;
export type CodeLanguage = (typeof CODE_LANGUAGES)[number];

export type SnippetRequest = {
  url: string;
  /** Strings and numbers only: they are written alike in JSON, JavaScript and Python. */
  body: Record<string, string | number>;
  /** The real key, or undefined for the environment variable that keeps it out of screenshots. */
  key: string | undefined;
};

const PRINTERS = { curl, node, python } as const satisfies Record<
  CodeLanguage,
  (request: SnippetRequest) => string
>;

/** The request as a program that can be pasted and run. */
export function printSnippet(language: CodeLanguage, request: SnippetRequest): string {
  return PRINTERS[language](request);
}

function curl({ url, body, key }: SnippetRequest): string {
  return [
    `curl ${url}`,
    `-H "Authorization: Bearer ${key ?? '$ZHIBER_KEY'}"`,
    `-H "Content-Type: application/json"`,
    `-d ${shellQuoted(indented(body))}`,
  ].join(' \\\n  ');
}

function node({ url, body, key }: SnippetRequest): string {
  return `const url = ${JSON.stringify(url)};
const key = ${key === undefined ? 'process.env.ZHIBER_KEY' : JSON.stringify(key)};

const answer = await fetch(url, {
  method: "POST",
  headers: {
    Authorization: "Bearer " + key,
    "Content-Type": "application/json",
  },
  body: JSON.stringify(${indented(body)}),
});
console.log(answer.status, await answer.json());`;
}

function python({ url, body, key }: SnippetRequest): string {
  return `${key === undefined ? 'import os\n' : ''}import requests

url = ${JSON.stringify(url)}
key = ${key === undefined ? 'os.environ["ZHIBER_KEY"]' : JSON.stringify(key)}

answer = requests.post(
    url,
    headers={"Authorization": "Bearer " + key},
    json=${JSON.stringify(body, null, 4).replaceAll('\n', '\n    ')},
    timeout=15,
)
print(answer.status_code, answer.json())`;
}

function indented(body: SnippetRequest['body']): string {
  return JSON.stringify(body, null, 2).replaceAll('\n', '\n  ');
}

/** Inside single quotes a shell reads nothing but the closing quote. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
