import type { TryError, Webhook, WebhookDelivery } from '@zhiber/contract/cabinet/webhooks.ts';
import { Check, CircleSlash, Clock, Power, TriangleAlert, X } from 'lucide-react';
import { useWebhookTexts } from '../texts/use-webhook-texts.ts';
import { Chip } from '../ui/display/chip.tsx';

const STATES = {
  active: { tone: 'ok', icon: Check },
  failing: { tone: 'warn', icon: TriangleAlert },
  off: { tone: 'calm', icon: Power },
} as const;

export function WebhookStateChip({ state }: Pick<Webhook, 'state'>) {
  const { tone, icon } = STATES[state];
  return (
    <Chip tone={tone} icon={icon}>
      {useWebhookTexts().states[state]}
    </Chip>
  );
}

const DELIVERY_STATES = {
  waiting: { tone: 'info', icon: Clock },
  delivered: { tone: 'ok', icon: Check },
  failed: { tone: 'bad', icon: X },
  missed: { tone: 'calm', icon: CircleSlash },
} as const;

export function DeliveryStateChip({ state }: Pick<WebhookDelivery, 'state'>) {
  const { tone, icon } = DELIVERY_STATES[state];
  return (
    <Chip tone={tone} icon={icon}>
      {useWebhookTexts().delivery.states[state]}
    </Chip>
  );
}

/** Why a try has failed, with the status where there was an answer. */
export function TryErrorText(props: { error: TryError; status: number | null }) {
  const { error, status } = props;
  const texts = useWebhookTexts().errors;
  const isOwnWord = error === 'status' && status !== null;
  return <>{isOwnWord ? `HTTP ${status}` : texts[error]}</>;
}

export function BetaChip() {
  return <Chip tone="info">{useWebhookTexts().beta}</Chip>;
}
