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

/** A language, or a second way to write it: PHP for hosts that have no curl extension. */
export const CODE_FORMS = ['curl', 'node', 'python', 'php', 'php-streams', 'go', 'csharp'] as const;
export type CodeForm = (typeof CODE_FORMS)[number];

export const CODE_FORM_TITLES = {
  ...CODE_LANGUAGE_TITLES,
  'php-streams': 'PHP streams',
} as const satisfies Record<CodeForm, string>;

export type SnippetRequest = {
  url: string;
  /** Strings and numbers only: they are written alike in JSON and in every language but PHP. */
  body: Record<string, string | number>;
  /** The real key, or undefined for the environment variable that keeps it out of screenshots. */
  key: string | undefined;
};

/** A send may take ten seconds, because channels are tried one after another. */
const TIMEOUT_SECONDS = 15;

const PRINTERS = {
  curl,
  node,
  python,
  php,
  go,
  csharp,
  'php-streams': phpStreams,
} as const satisfies Record<CodeForm, (request: SnippetRequest) => string>;

/**
 * The request as a program that can be pasted and run with nothing but the standard library. It
 * reads the JSON of a refusal too, decides by `success`, and prints the answer.
 */
export function printSnippet(form: CodeForm, request: SnippetRequest): string {
  return PRINTERS[form](request);
}

function curl({ url, body, key }: SnippetRequest): string {
  return [
    `curl ${url}`,
    `--max-time ${TIMEOUT_SECONDS}`,
    `-H "Authorization: Bearer ${key ?? '$ZHIBER_KEY'}"`,
    `-H "Content-Type: application/json"`,
    `-d ${shellQuoted(indented(body))}`,
  ].join(' \\\n  ');
}

function node({ url, body, key }: SnippetRequest): string {
  return `const response = await fetch(${JSON.stringify(url)}, {
  method: "POST",
  headers: {
    Authorization: "Bearer " + ${key === undefined ? 'process.env.ZHIBER_KEY' : JSON.stringify(key)},
    "Content-Type": "application/json",
  },
  body: JSON.stringify(${indented(body)}),
  signal: AbortSignal.timeout(${TIMEOUT_SECONDS}_000),
});
const answer = await response.json();
if (!answer.success) throw new Error(\`\${answer.error_code}: \${answer.message}\`);
console.log(answer);`;
}

function python({ url, body, key }: SnippetRequest): string {
  return `import json
${key === undefined ? 'import os\n' : ''}import urllib.error
import urllib.request

request = urllib.request.Request(
    ${JSON.stringify(url)},
    headers={
        "Authorization": "Bearer " + ${key === undefined ? 'os.environ["ZHIBER_KEY"]' : JSON.stringify(key)},
        "Content-Type": "application/json",
    },
    data=json.dumps(${JSON.stringify(body, null, 4).replaceAll('\n', '\n    ')}).encode(),
)
try:
    with urllib.request.urlopen(request, timeout=${TIMEOUT_SECONDS}) as response:
        answer = json.load(response)
except urllib.error.HTTPError as refusal:
    answer = json.load(refusal)
if not answer["success"]:
    raise SystemExit(f"{answer['error_code']}: {answer['message']}")
print(answer)`;
}

function php(request: SnippetRequest): string {
  return `<?php
$request = curl_init(${phpQuoted(request.url)});
curl_setopt_array($request, [
    CURLOPT_HTTPHEADER => [
        ${phpHeaders(request).join(',\n        ')},
    ],
    CURLOPT_POSTFIELDS => json_encode([
${phpFields(request)}
    ]),
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => ${TIMEOUT_SECONDS},
]);
$body = curl_exec($request);
if ($body === false) {
    throw new RuntimeException(curl_error($request));
}
${PHP_ANSWER}`;
}

/** `ignore_errors` is what lets PHP read the body of a refusal. */
function phpStreams(request: SnippetRequest): string {
  return `<?php
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        ${phpHeaders(request).join(',\n        ')},
    ],
    'content' => json_encode([
${phpFields(request)}
    ]),
    'timeout' => ${TIMEOUT_SECONDS},
    'ignore_errors' => true,
]]);
$body = file_get_contents(${phpQuoted(request.url)}, false, $context);
if ($body === false) {
    throw new RuntimeException('no answer');
}
${PHP_ANSWER}`;
}

const PHP_ANSWER = `$answer = json_decode($body, true, 512, JSON_THROW_ON_ERROR);
if (!$answer['success']) {
    throw new RuntimeException($answer['error_code'] . ': ' . $answer['message']);
}
echo $body, PHP_EOL;`;

function phpHeaders({ key }: SnippetRequest): string[] {
  const secret = key === undefined ? "getenv('ZHIBER_KEY')" : phpQuoted(key);
  return [`'Authorization: Bearer ' . ${secret}`, "'Content-Type: application/json'"];
}

function phpFields({ body }: SnippetRequest): string {
  return lines(body, (name, value) => `        ${phpQuoted(name)} => ${phpQuoted(value)},`);
}

function go({ url, body, key }: SnippetRequest): string {
  return `package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
${key === undefined ? '\t"os"\n' : ''}	"time"
)

func main() {
	body, _ := json.Marshal(map[string]any{
${goFields(body)}
	})
	request, err := http.NewRequest("POST", ${JSON.stringify(url)}, bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+${key === undefined ? 'os.Getenv("ZHIBER_KEY")' : JSON.stringify(key)})
	request.Header.Set("Content-Type", "application/json")

	client := http.Client{Timeout: ${TIMEOUT_SECONDS} * time.Second}
	response, err := client.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()

	var answer map[string]any
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		log.Fatal(err)
	}
	if answer["success"] != true {
		log.Fatalf("%v: %v", answer["error_code"], answer["message"])
	}
	fmt.Println(answer)
}`;
}

/** With the values in one column, as gofmt aligns them. */
function goFields(body: SnippetRequest['body']): string {
  const width = Math.max(...Object.keys(body).map((name) => JSON.stringify(name).length)) + 1;
  return lines(body, (name, value) => {
    const key = `${JSON.stringify(name)}:`.padEnd(width + 1);
    return `\t\t${key}${JSON.stringify(value)},`;
  });
}

/** Compiles on .NET and, for older servers, with Mono: hence no `System.Text.Json`. */
function csharp({ url, body, key }: SnippetRequest): string {
  const secret =
    key === undefined ? 'Environment.GetEnvironmentVariable("ZHIBER_KEY")' : JSON.stringify(key);
  return `using System;
using System.Net.Http;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Json;
using System.Text;
using System.Threading.Tasks;

[DataContract]
class Answer
{
    [DataMember(Name = "success")] public bool Success { get; set; }
    [DataMember(Name = "error_code")] public string ErrorCode { get; set; }
    [DataMember(Name = "message")] public string Message { get; set; }
}

class Program
{
    static void Main() => Call().GetAwaiter().GetResult();

    static async Task Call()
    {
        var client = new HttpClient { Timeout = TimeSpan.FromSeconds(${TIMEOUT_SECONDS}) };
        var request = new HttpRequestMessage(HttpMethod.Post, ${JSON.stringify(url)});
        request.Headers.Add("Authorization", "Bearer " + ${secret});
        var body = @"${JSON.stringify(body, null, 4).replaceAll('"', '""').replaceAll('\n', '\n        ')}";
        request.Content = new StringContent(body, Encoding.UTF8, "application/json");

        var response = await client.SendAsync(request);
        var answer = (Answer)new DataContractJsonSerializer(typeof(Answer))
            .ReadObject(await response.Content.ReadAsStreamAsync());
        if (!answer.Success) throw new Exception(answer.ErrorCode + ": " + answer.Message);
        Console.WriteLine(await response.Content.ReadAsStringAsync());
    }
}`;
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
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Inside single quotes PHP reads nothing but the backslash and the closing quote. */
function phpQuoted(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll(/[\\']/g, '\\$&')}'`;
}
