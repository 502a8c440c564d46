import { useQuery } from '@tanstack/react-query';
import type { WebhookTry } from '@zhiber/contract/cabinet/webhooks.ts';
import { RotateCcw } from 'lucide-react';
import type { Answer } from '../call.ts';
import { queryOf, useAction } from '../queries.ts';
import { useRight } from '../session.ts';
import { useFormat } from '../texts/use-texts.tsx';
import { useWebhookTexts } from '../texts/use-webhook-texts.ts';
import { Button } from '../ui/controls/button.tsx';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { Facts } from '../ui/display/card.tsx';
import { Code, CodeBlock } from '../ui/display/code-block.tsx';
import { ErrorCard, Failure } from '../ui/display/error-card.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { Time } from '../ui/display/time.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';
import { curlOf, requestText } from './delivery-text.ts';
import { REPLAY_CHANGES } from './replay-dialog.tsx';
import { DeliveryStateChip, TryErrorText } from './webhook-state.tsx';

const REFRESH_MS = 3_000;
type Delivery = Answer<'webhookDelivery'>;

/** One event: what was sent, what was answered, and how its signature came about. */
export function DeliveryPanel(props: { webhookId: number; eventId: string; onClose: () => void }) {
  const { webhookId, eventId, onClose } = props;
  const texts = useWebhookTexts();
  const { data, error, refetch } = useQuery({
    ...queryOf('webhookDelivery', { params: { id: webhookId, event: eventId } }),
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? REFRESH_MS : false),
  });
  return (
    <Dialog title={texts.delivery.title} place="side" onClose={onClose}>
      {error !== null && <Failure error={error} onRetry={refetch} />}
      {error === null && data?.id !== eventId && <SkeletonCard lines={8} />}
      {error === null && data?.id === eventId && (
        <OneDelivery webhookId={webhookId} delivery={data} />
      )}
    </Dialog>
  );
}

function OneDelivery({ webhookId, delivery }: { webhookId: number; delivery: Delivery }) {
  const texts = useWebhookTexts();
  return (
    <div className="grid min-w-0 gap-6">
      <p className="flex flex-wrap items-center gap-3">
        <DeliveryStateChip state={delivery.state} />
        {texts.types[delivery.type]}
      </p>
      <Facts
        rows={[
          [texts.delivery.columns.at, <Time key="at" at={delivery.at} />],
          [
            'webhook-id',
            <span key="id" className="inline-flex max-w-full items-center gap-1">
              <Code>{delivery.id}</Code>
              <CopyButton isIcon text={delivery.id} />
            </span>,
          ],
          [texts.columns.url, <Code key="url">{delivery.url}</Code>],
          ...(delivery.next_try_at === null
            ? []
            : [
                [
                  texts.delivery.columns.next,
                  <Time key="next" at={delivery.next_try_at} />,
                ] as const,
              ]),
        ]}
      />
      <Replay webhookId={webhookId} eventId={delivery.id} />
      {delivery.try_log.length === 0 && (
        <p className="text-table text-muted">{texts.delivery.noTry}</p>
      )}
      {delivery.try_log.map((one, place) => (
        <Try key={one.number} one={one} url={delivery.url} isOpen={place === 0} />
      ))}
    </div>
  );
}

function Replay({ webhookId, eventId }: { webhookId: number; eventId: string }) {
  const texts = useWebhookTexts().delivery;
  const format = useFormat();
  const { showToast } = useToasts();
  const canReplay = useRight('webhooks.change');
  const replay = useAction('replayWebhook', { invalidates: REPLAY_CHANGES });
  if (!canReplay) return null;
  const send = () =>
    replay.mutate(
      { params: { id: webhookId }, body: { events: [eventId] } },
      {
        onSuccess: ({ replayed }) => showToast(texts.replayed(replayed, format.number(replayed))),
      },
    );
  return (
    <div className="grid gap-1.5">
      <div>
        <Button
          icon={<RotateCcw aria-hidden="true" size={16} />}
          isBusy={replay.isPending}
          onClick={send}
        >
          {texts.replay}
        </Button>
      </div>
      <p className="text-sm text-muted">{texts.replayNote}</p>
      {replay.error !== null && <ErrorCard error={replay.error} />}
    </div>
  );
}

function Try({ one, url, isOpen }: { one: WebhookTry; url: string; isOpen: boolean }) {
  const texts = useWebhookTexts();
  const format = useFormat();
  return (
    <details open={isOpen} className="min-w-0 rounded-card border border-hairline p-4">
      <summary className="target flex cursor-pointer flex-wrap items-center gap-x-3 text-table">
        <span className="font-medium">{texts.delivery.tryNumber(one.number)}</span>
        <span>
          {one.error === null ? (
            `HTTP ${one.status}`
          ) : (
            <TryErrorText error={one.error} status={one.status} />
          )}
        </span>
        <span className="text-muted">{texts.ms(format.number(one.duration_ms))}</span>
        <Time at={one.at} />
      </summary>
      <div className="grid min-w-0 gap-4 pt-3">
        <CodeBlock label={texts.delivery.request} code={requestText(url, one)} />
        {one.request.is_masked && <p className="text-sm text-muted">{texts.delivery.masked}</p>}
        {one.answer === null || one.answer === '' ? (
          <p className="text-table text-muted">{texts.delivery.noAnswer}</p>
        ) : (
          <CodeBlock
            label={one.is_answer_cut ? texts.delivery.answerCut : texts.delivery.answer}
            code={one.answer}
          />
        )}
        <Signature one={one} />
        {!one.request.is_masked && (
          <CodeBlock label={texts.delivery.curl} code={curlOf(url, one)} />
        )}
      </div>
    </details>
  );
}

function Signature({ one }: { one: WebhookTry }) {
  const texts = useWebhookTexts().delivery;
  return (
    <section className="grid min-w-0 gap-2">
      <h3 className="text-table">{texts.signatureTitle}</h3>
      <CodeBlock label={texts.signedText} code={one.signature.signed} />
      <p className="text-table text-muted">{texts.signedNote}</p>
      <CodeBlock label={texts.signatureSent} code={one.signature.sent.join(' ')} />
    </section>
  );
}
