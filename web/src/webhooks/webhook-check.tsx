import { printWebhookCheck } from '../snippets/webhook-check.ts';
import { useWebhookTexts } from '../texts/use-webhook-texts.ts';
import { LanguageBlock } from '../ui/display/snippet-block.tsx';

/** How a receiver checks that an event is ours: in words, and in the reader's language. */
export function WebhookCheck() {
  const texts = useWebhookTexts().catalogue;
  return (
    <div className="grid min-w-0 gap-4">
      <ol className="grid list-decimal gap-1.5 ps-5 text-table">
        {texts.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <LanguageBlock print={printWebhookCheck} />
    </div>
  );
}
