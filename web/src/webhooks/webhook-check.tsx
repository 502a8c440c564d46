import { useWebhookTexts } from '../texts/use-webhook-texts.ts';

/** How a receiver checks that an event is ours. */
export function WebhookCheck() {
  const texts = useWebhookTexts().catalogue;
  return (
    <ol className="grid list-decimal gap-1.5 ps-5 text-table">
      {texts.steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}
