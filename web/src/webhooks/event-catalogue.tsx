import { useQuery } from '@tanstack/react-query';
import { queryOf } from '../queries.ts';
import { useWebhookTexts } from '../texts/use-webhook-texts.ts';
import { Card } from '../ui/display/card.tsx';
import { CodeBlock } from '../ui/display/code-block.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { JsonView } from '../ui/display/json-view.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { WebhookCheck } from './webhook-check.tsx';

/** Every type of event with an example of its body, and how to check a signature. */
export function EventCatalogue() {
  const texts = useWebhookTexts();
  const { data, error, refetch } = useQuery(queryOf('webhookEvents'));
  return (
    <div className="grid min-w-0 gap-5">
      <Card title={texts.catalogue.signature}>
        <div className="grid min-w-0 gap-4">
          <p className="text-table text-muted">{texts.catalogue.signatureLead}</p>
          <WebhookCheck />
        </div>
      </Card>
      <Card title={texts.catalogue.title}>
        {error !== null && <ErrorCard error={error} onRetry={refetch} />}
        {error === null && data === undefined && <SkeletonCard lines={6} />}
        <div className="grid min-w-0 gap-2">
          {data?.events.map(({ type, example }) => (
            <details key={type} className="min-w-0 border-t border-hairline pt-2 first:border-t-0">
              <summary className="target flex cursor-pointer flex-wrap items-center gap-x-3 text-table">
                <span className="font-medium">{texts.types[type]}</span>
                <code translate="no" className="font-mono text-sm text-muted">
                  {type}
                </code>
              </summary>
              <div className="pt-2 pb-3">
                <CodeBlock label={texts.catalogue.example} code={JSON.stringify(example, null, 2)}>
                  <JsonView value={example} />
                </CodeBlock>
              </div>
            </details>
          ))}
        </div>
      </Card>
    </div>
  );
}
