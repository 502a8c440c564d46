import { ERROR_CODES, ERRORS, type ErrorCode } from '@zhiber/contract/api/errors.ts';
import type { Lang } from '@zhiber/contract/languages.ts';
import type { PublicTexts } from '@zhiber/contract/pages.ts';
import { exampleAnswer } from '../error-example.ts';
import { localHref } from '../layout.ts';
import type { Reference, ReferenceField } from './reference-model.ts';

/** What the pages that the server makes itself say, in Markdown. */

type Site = { lang: Lang; texts: PublicTexts; siteUrl: string };

export function errorsMarkdown({ lang, texts, siteUrl }: Site): string {
  const { listTitle, listLead, columns, codes, retryYes, retryNo } = texts.errorPages;
  const rows = ERROR_CODES.map((code) => {
    const address = `${siteUrl}${localHref(`/docs/errors/${code}.md`, lang)}`;
    const retry = ERRORS[code].retry ? retryYes : retryNo;
    return `| ${ERRORS[code].status} | [${code}](${address}) | ${codes[code].meaning} | ${retry} |`;
  });
  return `# ${listTitle}

> ${listLead}

| ${columns.status} | ${columns.code} | ${columns.meaning} | ${columns.retry} |
|---|---|---|---|
${rows.join('\n')}
`;
}

export function errorMarkdown({ texts, siteUrl }: Site, code: ErrorCode): string {
  const words = texts.errorPages;
  const { status, message, retry } = ERRORS[code];
  return `# ${code}

> HTTP ${status}. ${words.codes[code].meaning}

- ${words.apiMessage}: ${message}
- ${words.whatToDo}: ${words.codes[code].advice}
- ${words.retryQuestion} ${retry ? words.retryYesLong : words.retryNoLong}
- ${words.chargedQuestion} ${words.chargedNever}

${words.example}:

\`\`\`json
${exampleAnswer(code, siteUrl)}
\`\`\`
`;
}

export function referenceMarkdown({ lang, texts, siteUrl }: Site, reference: Reference): string {
  const words = texts.docs.reference;
  const errorLink = (code: ErrorCode) =>
    `- ${ERRORS[code].status} [${code}](${siteUrl}${localHref(`/docs/errors/${code}.md`, lang)}): ${texts.errorPages.codes[code].meaning}`;
  const fields = (title: string, list: readonly ReferenceField[]) =>
    list.length === 0
      ? []
      : [`### ${title}`, list.map((field) => fieldLine(field, words)).join('\n')];
  const example = (title: string, value: unknown) =>
    value === undefined
      ? []
      : [`${title}:`, `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``];
  const operations = reference.operations.flatMap((operation) => [
    `## ${operation.methods.join(', ')} ${operation.path}`,
    operation.summary,
    ...(operation.description === '' ? [] : [operation.description]),
    ...(operation.needsKey ? [] : [words.withoutKey]),
    ...fields(words.query, operation.query),
    ...fields(words.headers, operation.headers),
    ...fields(words.body, operation.body),
    ...example(words.exampleRequest, operation.bodyExample),
    ...fields(words.answer, operation.answer),
    ...fields(words.answerHeaders, operation.answerHeaders),
    ...example(words.exampleAnswer, operation.answerExample),
    ...(operation.errors.length === 0
      ? []
      : [`### ${words.errors}`, operation.errors.map(errorLink).join('\n')]),
  ]);
  const parts = [
    `# ${words.title}`,
    `> ${words.lead}`,
    `${words.base}: ${reference.baseUrl}`,
    words.authorizationText,
    '```http\nAuthorization: Bearer $ZHIBER_KEY\n```',
    ...operations,
    `## ${words.errorsEverywhere}`,
    words.errorsEverywhereText,
    reference.commonErrors.map(errorLink).join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

function fieldLine(
  { name, type, isRequired, limits, description }: ReferenceField,
  words: { required: string; optional: string },
): string {
  const facts = [type, isRequired ? words.required : words.optional, ...limits].join(', ');
  return `- \`${name}\` (${facts})${description === '' ? '' : `: ${description}`}`;
}
