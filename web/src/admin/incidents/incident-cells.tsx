import type { Incident } from '@zhiber/contract/admin/incidents.ts';
import { CircleCheck, Eye, PencilLine, Search, Wrench } from 'lucide-react';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { Chip } from '../../ui/display/chip.tsx';
import type { IncidentKind } from './incident-fields.tsx';

const STATE_LOOKS = {
  investigating: { tone: 'bad', icon: Search },
  identified: { tone: 'warn', icon: Wrench },
  watching: { tone: 'info', icon: Eye },
  resolved: { tone: 'ok', icon: CircleCheck },
} as const;

export function StateChip({ state, kind }: { state: Incident['state']; kind: IncidentKind }) {
  const texts = useAdminTexts().incidents;
  const isOver = state === 'resolved';
  return (
    <Chip {...STATE_LOOKS[kind === 'maintenance' && !isOver ? 'identified' : state]}>
      {kind === 'incident'
        ? texts.states[state]
        : texts.maintenanceStates[isOver ? 'resolved' : 'identified']}
    </Chip>
  );
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
