import { useState } from 'react';
import type { ApiRequest } from '../../snippets/request-body.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { CheckboxField } from '../../ui/controls/tick-field.tsx';
import { SnippetBlock } from '../../ui/display/snippet-block.tsx';
import { Panel } from '../panel.tsx';

/** The request as code. The key is in it only where it is known and somebody asks to see it. */
export function SnippetPanel(props: {
  baseUrl: string;
  request: ApiRequest;
  keyText: string | undefined;
}) {
  const { baseUrl, request, keyText } = props;
  const texts = useTexts().playground;
  const [isRevealed, setRevealed] = useState(false);
  return (
    <Panel title={texts.asCode} isFoldedOnNarrow>
      <SnippetBlock
        {...request}
        baseUrl={baseUrl}
        {...(isRevealed && keyText !== undefined && { keyText })}
        aside={
          <div className="grow">
            {keyText !== undefined && (
              <CheckboxField
                name="reveal-key"
                label={texts.revealKey}
                checked={isRevealed}
                onChange={(event) => setRevealed(event.currentTarget.checked)}
              />
            )}
          </div>
        }
      />
    </Panel>
  );
}
