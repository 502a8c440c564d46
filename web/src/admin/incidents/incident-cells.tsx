import type { Incident } from '@zhiber/contract/admin/incidents.ts';
import { CircleCheck, Eye, PencilLine, Search, Wrench } from 'lucide-react';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { Chip } from '../../ui/display/chip.tsx';

const STATE_LOOKS = {
  investigating: { tone: 'bad', icon: Search },
  identified: { tone: 'warn', icon: Wrench },
  watching: { tone: 'info', icon: Eye },
  resolved: { tone: 'ok', icon: CircleCheck },
} as const;

export function StateChip({ state }: { state: Incident['state'] }) {
  return <Chip {...STATE_LOOKS[state]}>{useAdminTexts().incidents.states[state]}</Chip>;
}

export function Visibility({ incident }: { incident: Incident }) {
  const texts = useAdminTexts().incidents;
  return incident.published_at === null ? (
    <Chip tone="calm" icon={PencilLine}>
      {texts.draft}
    </Chip>
  ) : (
    texts.isPublic
  );
}
