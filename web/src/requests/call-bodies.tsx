import type { Answer } from '../call.ts';
import { useRight, useSession } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { LinkButton } from '../ui/controls/link-button.tsx';
import { CodeBlock } from '../ui/display/code-block.tsx';
import { JsonView } from '../ui/display/json-view.tsx';
import { SnippetBlock } from '../ui/display/snippet-block.tsx';
import { isWhole, playgroundSearch, snippetBody } from './request-snippet.ts';

type Call = Answer<'request'>;

/** What was asked and answered, and how to make the same call again. */
export function CallBodies({ call }: { call: Call }) {
  const texts = useTexts().requests;
  const { base_url: apiUrl } = useSession();
  const { row, source, request, shape, answer } = call;
  return (
    <>
      <section className="grid gap-3">
        {request !== null && <Json label={texts.requestBody} value={request} />}
        {shape !== null && <CodeBlock label={texts.requestBody} code={shape} />}
        <p className="text-sm text-muted">{texts.sources[source]}</p>
        <Json label={texts.answerBody} value={answer} />
      </section>
      {request !== null && (
        <section className="grid gap-3">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <h3 className="text-base">{texts.repeat}</h3>
            <OpenPlayground call={call} request={request} />
          </div>
          <SnippetBlock
            baseUrl={apiUrl}
            path={row.path.replace(/^\/api/, '')}
            body={snippetBody(request)}
          />
          {!isWhole(request) && <p className="text-sm text-muted">{texts.fillIn}</p>}
        </section>
      )}
    </>
  );
}

function Json({ label, value }: { label: string; value: Record<string, unknown> }) {
  return (
    <CodeBlock label={label} code={JSON.stringify(value, null, 2)}>
      <JsonView value={value} />
    </CodeBlock>
  );
}

function OpenPlayground({ call, request }: { call: Call; request: Record<string, unknown> }) {
  const texts = useTexts().requests;
  const isAllowed = useRight('playground.use');
  const search = playgroundSearch({ path: call.row.path, keyId: call.row.key.id, request });
  if (!isAllowed || search === undefined) return null;
  return (
    <LinkButton to="/app/playground" search={search as never}>
      {texts.openPlayground}
    </LinkButton>
  );
}
