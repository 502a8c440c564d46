import type { PriceVersion } from '@zhiber/contract/admin/prices.ts';
import { Ban, Check, Clock, Hourglass } from 'lucide-react';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { Chip } from '../../ui/display/chip.tsx';

const LOOKS = {
  holds: { tone: 'ok', icon: Check },
  future: { tone: 'info', icon: Hourglass },
  past: { tone: 'calm', icon: Clock },
  withdrawn: { tone: 'calm', icon: Ban },
} as const;

export function PriceStateChip({ state }: Pick<PriceVersion, 'state'>) {
  return <Chip {...LOOKS[state]}>{useAdminTexts().prices.states[state]}</Chip>;
}
