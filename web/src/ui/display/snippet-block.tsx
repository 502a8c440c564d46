import { type ReactNode, useState } from 'react';
import { rememberedLanguage, rememberLanguage } from '../../snippets/code-language.ts';
import {
  CODE_LANGUAGE_TITLES,
  CODE_LANGUAGES,
  type CodeLanguage,
  printSnippet,
  type SnippetRequest,
} from '../../snippets/snippets.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Segments } from '../controls/segments.tsx';
import { CodeBlock } from './code-block.tsx';

const OPTIONS = CODE_LANGUAGES.map((value) => ({ value, label: CODE_LANGUAGE_TITLES[value] }));

/** A code snippet of an API call, in the programming language chosen last. */
export function SnippetBlock(props: {
  baseUrl: string;
  path: string;
  body: SnippetRequest['body'];
  /** The real key, where it is shown anyway; otherwise the snippet reads `$ZHIBER_KEY`. */
  keyText?: string;
  aside?: ReactNode;
}) {
  const { baseUrl, path, body, keyText, aside } = props;
  const request = { url: baseUrl + path, body, key: keyText };
  return <LanguageBlock print={(language) => printSnippet(language, request)} aside={aside} />;
}

/** Code that is printed in the programming language chosen last. */
export function LanguageBlock(props: {
  print: (language: CodeLanguage) => string;
  aside?: ReactNode;
}) {
  const { print, aside } = props;
  const texts = useTexts().ui;
  const [language, setLanguage] = useState(rememberedLanguage);
  const choose = (chosen: CodeLanguage) => {
    rememberLanguage(chosen);
    setLanguage(chosen);
  };
  return (
    <CodeBlock
      code={print(language)}
      label={
        <Segments
          label={texts.codeLanguage}
          isLabelHidden
          options={OPTIONS}
          value={language}
          onChoose={choose}
        />
      }
      aside={aside}
    />
  );
}
