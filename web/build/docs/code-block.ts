import { DEMOS, demoMark, KEY_MARKS } from '@zhiber/contract/pages/docs.ts';
import { KEY_VARIABLE } from '@zhiber/contract/pages/docs-placeholders.ts';
import { type Example, printAnswer, printExamples } from '../../src/docs/examples.ts';
import { CODE_FORM_TITLES, type CodeForm } from '../../src/snippets/snippets.ts';
import { compareLines } from './compare-lines.ts';
import { FENCE_LANGUAGES, highlight, highlightedLines } from './highlight.ts';

/** A fence of a page: what stands after its backquotes, and its body. */
export type Fence = { words: readonly string[]; body: string };

export type CodeTexts = { copy: string; copied: string; answer: string; codeLanguage: string };

type Place = { id: string; texts: CodeTexts; fail: (problem: string) => never };

/** The fence that an example in this language is written in. */
const FENCE_OF: Readonly<Record<CodeForm, string>> = {
  curl: 'bash',
  node: 'js',
  python: 'python',
  php: 'php',
  'php-streams': 'php',
  go: 'go',
  csharp: 'csharp',
};

const COPY_ICON =
  '<svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d="M7 7h9v9H7zM4 13V4h9"/></svg>';

/** A fence as markup. Its placeholders stay as they are. */
export function renderFence(fence: Fence, place: Place): string {
  const [language = '', name = ''] = fence.words;
  if (language === 'snippet') return renderExamples(readExamples(fence, place), place);
  if (language === 'response') {
    const title = place.texts.answer;
    return figure(title, renderCode(readAnswer(name, fence, place), 'json'), place);
  }
  if (language === 'demo') return `${demoMark(readDemo(name, place))}\n`;
  const known = FENCE_LANGUAGES[language];
  if (known === undefined) {
    const names = ['snippet', 'response', 'demo', ...Object.keys(FENCE_LANGUAGES)].join(', ');
    place.fail(`a code block is called "${language}"; known are ${names}`);
  }
  return figure(known.title, renderCode(fence.body, known.grammar), place);
}

/** A fence as plain Markdown: a named example is written out. */
export function writeFence(fence: Fence, place: Omit<Place, 'id'>): string {
  const [language = '', name = ''] = fence.words;
  const whole = { ...place, id: '' };
  if (language === 'snippet') {
    return readExamples(fence, whole)
      .map(
        ({ form, withVariable }) =>
          `${CODE_FORM_TITLES[form]}:\n\n\`\`\`${FENCE_OF[form]}\n${withVariable}\n\`\`\``,
      )
      .join('\n\n');
  }
  if (language === 'response') return `\`\`\`json\n${readAnswer(name, fence, whole)}\n\`\`\``;
  if (language === 'demo') return '';
  return `\`\`\`${language}\n${fence.body}\n\`\`\``;
}

function readExamples({ words, body }: Fence, { fail }: Place): Example[] {
  const name = words[1] ?? '';
  const examples = printExamples(name, readObject(body, name, fail) as Record<string, string>);
  return examples ?? fail(`there is no snippet "${name}"`);
}

function readDemo(name: string, { fail }: Place): (typeof DEMOS)[number] {
  return DEMOS.find((demo) => demo === name) ?? fail(`there is no demo "${name}"`);
}

function readAnswer(name: string, { body }: Fence, { fail }: Place): string {
  return printAnswer(name, readObject(body, name, fail)) ?? fail(`there is no response "${name}"`);
}

function readObject(
  body: string,
  name: string,
  fail: (problem: string) => never,
): Record<string, unknown> {
  if (body.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // The sentence below says it.
  }
  return fail(`the body of "${name}" is not a JSON object`);
}

/**
 * One group of languages. Each is a `details` of the same name, of which a browser keeps one open:
 * that needs no script, and the style sheet lays them out as tabs.
 */
function renderExamples(examples: readonly Example[], { id, texts }: Place): string {
  const tabs = examples.map(({ form, withVariable, withKey }, index) => {
    const own = `${id}-${form}`;
    const grammar = FENCE_LANGUAGES[FENCE_OF[form]]?.grammar ?? 'plaintext';
    return `<details name="${id}" data-form="${form}"${index === 0 ? ' open' : ''}>
<summary>${CODE_FORM_TITLES[form]}</summary>
<div class="tab-code">${copyButton(own, texts)}
${pre(own, mergeVersions(withVariable, withKey, grammar))}</div>
</details>`;
  });
  return `<div class="code tabs" role="group" aria-label="${texts.codeLanguage}">${tabs.join('\n')}</div>\n`;
}

/** Both versions in one: the lines of each that the other does not have stand between marks. */
function mergeVersions(withVariable: string, withKey: string, grammar: string): string {
  const left = highlightedLines(renderCode(withVariable, grammar));
  const right = highlightedLines(renderCode(withKey, grammar));
  const steps = compareLines(
    withVariable.replaceAll(KEY_VARIABLE, '{{key}}').split('\n'),
    withKey.split('\n'),
  );
  const parts: string[] = [];
  for (const [index, step] of steps.entries()) {
    const end = index === steps.length - 1 ? '' : '\n';
    if (step.kind === 'both') parts.push(`${left[step.left ?? 0]}${end}`);
    else if (step.kind === 'left') {
      parts.push(KEY_MARKS.unknown.join(`${left[step.left ?? 0]}${end}`));
    } else parts.push(KEY_MARKS.known.join(`${right[step.right ?? 0]}${end}`));
  }
  return parts.join('');
}

/** A grammar would take a placeholder apart, so a word stands for it meanwhile. */
function renderCode(code: string, grammar: string): string {
  const names: string[] = [];
  const worded = code.replaceAll(/\{\{[\w.]+\}\}/g, (placeholder) => {
    names.push(placeholder);
    return wordFor(names.length - 1);
  });
  let markup = highlight(worded, grammar);
  for (const [index, placeholder] of names.entries()) {
    markup = markup.replaceAll(wordFor(index), placeholder);
  }
  return markup.replaceAll(KEY_VARIABLE, '{{key}}');
}

function wordFor(index: number): string {
  return `Placeholder${String.fromCharCode(65 + (index % 26))}${'x'.repeat(Math.floor(index / 26))}q`;
}

function figure(title: string, markup: string, { id, texts }: Place): string {
  return `<figure class="code">
<figcaption class="code-head"><span>${title}</span>${copyButton(id, texts)}</figcaption>
${pre(id, markup)}
</figure>\n`;
}

function pre(id: string, markup: string): string {
  // The texts of the API are Russian on the pages of every language.
  const lang = /\p{Script=Cyrillic}/u.test(markup) ? 'ru' : 'en';
  return `<pre id="${id}" lang="${lang}" translate="no"><code>${markup}</code></pre>`;
}

function copyButton(id: string, { copy, copied }: CodeTexts): string {
  return `<button type="button" class="button" data-copy="${id}" data-copied="${copied}">${COPY_ICON}<span>${copy}</span></button>`;
}
