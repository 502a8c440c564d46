import { CHANNEL_TITLES, type Channel } from '@zhiber/contract/api/channel.ts';
import { type LucideIcon, MessageCircle, MessageSquareText, Send } from 'lucide-react';

export const CHANNEL_ICONS: Record<Channel, LucideIcon> = {
  whatsapp: MessageCircle,
  telegram: Send,
  sms: MessageSquareText,
};

/** Neutral in tables and texts; channels have colours only in charts. */
export function ChannelLabel({ channel }: { channel: Channel }) {
  const Icon = CHANNEL_ICONS[channel];
  return (
    <span className="inline-flex items-center gap-1.5 align-middle whitespace-nowrap">
      <Icon aria-hidden="true" size={15} className="text-muted" />
      {CHANNEL_TITLES[channel]}
    </span>
  );
}
