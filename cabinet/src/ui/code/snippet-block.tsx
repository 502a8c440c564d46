import { type ReactNode, useState } from 'react';
import {
  rememberedLanguage,
  rememberLanguage,
} from '../../../../server/src/http/pages/assets/client/code-language.ts';
import {
  CODE_LANGUAGE_TITLES,
  CODE_LANGUAGES,
  type CodeLanguage,
  printSnippet,
  type SnippetRequest,
} from '../../../../server/src/http/pages/assets/client/snippets.ts';
import { useSession } from '../../session.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Segments } from '../controls/segments.tsx';
import { CodeBlock } from '../display/code-block.tsx';

const OPTIONS = CODE_LANGUAGES.map((value) => ({ value, label: CODE_LANGUAGE_TITLES[value] }));

/** A call of the API as a program, in the language that was chosen last time. */
export function SnippetBlock(props: {
  path: string;
  body: SnippetRequest['body'];
  /** The real key, where it is shown anyway; otherwise the code reads it from `$ZHIBER_KEY`. */
  keyText?: string;
  aside?: ReactNode;
}) {
  const { path, body, keyText, aside } = props;
  const texts = useTexts().ui;
  const { base_url: address } = useSession();
  const [language, setLanguage] = useState(rememberedLanguage);
  const choose = (chosen: CodeLanguage) => {
    rememberLanguage(chosen);
    setLanguage(chosen);
  };
  return (
    <CodeBlock
      code={printSnippet(language, { url: address + path, body, key: keyText })}
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
