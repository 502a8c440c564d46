import { Link } from '@tanstack/react-router';
import type { Answer } from '../../call.ts';
import { useLang, useTexts } from '../../texts/use-texts.tsx';
import { JsonView } from '../../ui/code/json-view.tsx';
import { Card } from '../../ui/display/card.tsx';
import { Chip } from '../../ui/display/chip.tsx';
import { CodeBlock } from '../../ui/display/code-block.tsx';
import { ErrorCard } from '../../ui/display/error-card.tsx';
import { statusTone } from '../status-tone.ts';

export type RunAnswer = Answer<'runOperation'> & { path: string };

/** What the API answered, as it answered it: a refusal is an answer like any other. */
export function AnswerCard({
  answer,
  error,
}: {
  answer: RunAnswer | undefined;
  error: Error | null;
}) {
  const texts = useTexts().playground;
  return (
    <Card title={texts.answer}>
      {error !== null && <ErrorCard error={error} />}
      {error === null && answer === undefined && (
        <p className="text-table text-muted">{texts.noAnswer}</p>
      )}
      {error === null && answer !== undefined && <Answered answer={answer} />}
    </Card>
  );
}

function Answered({ answer }: { answer: RunAnswer }) {
  const { status, duration_ms: ms, request_id: id, path, body } = answer;
  const texts = useTexts().playground;
  return (
    <div className="grid gap-3">
      <p role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-table">
        <Chip tone={statusTone(status)}>{status}</Chip>
        <span>{texts.milliseconds(ms)}</span>
        <code translate="no" className="font-mono text-sm">
          POST {path}
        </code>
        <Link
          to="/app/requests"
          search={{ request_id: id }}
          translate="no"
          className="link font-mono text-sm break-all"
        >
          {id}
        </Link>
      </p>
      <CodeBlock label="JSON" code={JSON.stringify(body, null, 2)}>
        <JsonView value={body} />
      </CodeBlock>
      <AnswerLinks body={body} />
    </div>
  );
}

function AnswerLinks({ body }: Pick<RunAnswer, 'body'>) {
  const texts = useTexts().playground;
  const { lang } = useLang();
  const { error_code: code, short_url: link } = body;
  return (
    <>
      {typeof code === 'string' && (
        <a
          href={`/docs/errors/${encodeURIComponent(code)}?lang=${lang}`}
          target="_blank"
          rel="noopener"
          className="link text-table"
        >
          {texts.whatToDo}
        </a>
      )}
      {typeof link === 'string' && /^https?:\/\//.test(link) && (
        <a href={link} target="_blank" rel="noopener noreferrer" className="link text-table">
          {texts.openLink}
        </a>
      )}
    </>
  );
}
