export const CODE_LANGUAGES = ['curl', 'node', 'python', 'php', 'go', 'csharp'] as const;
export type CodeLanguage = (typeof CODE_LANGUAGES)[number];

export const CODE_LANGUAGE_TITLES = {
  curl: 'curl',
  node: 'Node',
  python: 'Python',
  php: 'PHP',
  go: 'Go',
  csharp: 'C#',
} as const satisfies Record<CodeLanguage, string>;

export type SnippetRequest = {
  url: string;
  /** Strings and numbers only: they are written alike in JSON and in every language but PHP. */
  body: Record<string, string | number>;
  /** The real key, or undefined for the environment variable that keeps it out of screenshots. */
  key: string | undefined;
};

const PRINTERS = { curl, node, python, php, go, csharp } as const satisfies Record<
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

function php({ url, body, key }: SnippetRequest): string {
  return `<?php
$url = ${phpQuoted(url)};
$key = ${key === undefined ? "getenv('ZHIBER_KEY')" : phpQuoted(key)};

$request = curl_init($url);
curl_setopt_array($request, [
    CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . $key, 'Content-Type: application/json'],
    CURLOPT_POSTFIELDS => json_encode([
${lines(body, (name, value) => `        ${phpQuoted(name)} => ${phpQuoted(value)},`)}
    ]),
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 15,
]);
$answer = curl_exec($request);
echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $answer, PHP_EOL;`;
}

function go({ url, body, key }: SnippetRequest): string {
  return `package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
${key === undefined ? '\t"os"\n' : ''}	"time"
)

func main() {
	url := ${JSON.stringify(url)}
	key := ${key === undefined ? 'os.Getenv("ZHIBER_KEY")' : JSON.stringify(key)}

	body, _ := json.Marshal(map[string]any{
${lines(body, (name, value) => `\t\t${JSON.stringify(name)}: ${JSON.stringify(value)},`)}
	})
	request, _ := http.NewRequest("POST", url, bytes.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	client := http.Client{Timeout: 15 * time.Second}
	answer, err := client.Do(request)
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	fmt.Println(answer.StatusCode, string(text))
}`;
}

function csharp({ url, body, key }: SnippetRequest): string {
  return `using System.Net.Http.Headers;
using System.Net.Http.Json;

var url = ${JSON.stringify(url)};
var key = ${key === undefined ? 'Environment.GetEnvironmentVariable("ZHIBER_KEY")' : JSON.stringify(key)};

using var client = new HttpClient { Timeout = TimeSpan.FromSeconds(15) };
client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", key);

var answer = await client.PostAsJsonAsync(url, new Dictionary<string, object>
{
${lines(body, (name, value) => `    [${JSON.stringify(name)}] = ${JSON.stringify(value)},`)}
});
Console.WriteLine($"{(int)answer.StatusCode} {await answer.Content.ReadAsStringAsync()}");`;
}

function lines(
  body: SnippetRequest['body'],
  print: (name: string, value: string | number) => string,
): string {
  return Object.entries(body)
    .map(([name, value]) => print(name, value))
    .join('\n');
}

function indented(body: SnippetRequest['body']): string {
  return JSON.stringify(body, null, 2).replaceAll('\n', '\n  ');
}

/** Inside single quotes a shell reads nothing but the closing quote. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Inside single quotes PHP reads nothing but the backslash and the closing quote. */
function phpQuoted(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll(/[\\']/g, '\\$&')}'`;
}
