import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import csharp from 'highlight.js/lib/languages/csharp';
import go from 'highlight.js/lib/languages/go';
import http from 'highlight.js/lib/languages/http';
import ini from 'highlight.js/lib/languages/ini';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import plaintext from 'highlight.js/lib/languages/plaintext';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

/** What a fence may be called, the title above its code, and the grammar. */
export const FENCE_LANGUAGES: Readonly<Record<string, { title: string; grammar: string }>> = {
  bash: { title: 'Shell', grammar: 'bash' },
  js: { title: 'JavaScript', grammar: 'javascript' },
  ts: { title: 'TypeScript', grammar: 'typescript' },
  python: { title: 'Python', grammar: 'python' },
  php: { title: 'PHP', grammar: 'php' },
  go: { title: 'Go', grammar: 'go' },
  csharp: { title: 'C#', grammar: 'csharp' },
  json: { title: 'JSON', grammar: 'json' },
  http: { title: 'HTTP', grammar: 'http' },
  html: { title: 'HTML', grammar: 'xml' },
  ini: { title: '.env', grammar: 'ini' },
  yaml: { title: 'YAML', grammar: 'yaml' },
  text: { title: '', grammar: 'plaintext' },
};

const GRAMMARS = {
  bash,
  csharp,
  go,
  http,
  ini,
  javascript,
  json,
  php,
  plaintext,
  python,
  typescript,
  xml,
  yaml,
};
for (const [name, grammar] of Object.entries(GRAMMARS)) hljs.registerLanguage(name, grammar);

/** The code as markup with classes, without any inline style. */
export function highlight(code: string, grammar: string): string {
  return hljs.highlight(code, { language: grammar, ignoreIllegals: true }).value;
}

/** The lines of highlighted code, each with its own balanced elements. */
export function highlightedLines(markup: string): string[] {
  const open: string[] = [];
  return markup.split('\n').map((line) => {
    const before = open.join('');
    for (const [tag] of line.matchAll(/<span[^>]*>|<\/span>/g)) {
      if (tag === '</span>') open.pop();
      else open.push(tag);
    }
    return before + line + '</span>'.repeat(open.length);
  });
}
