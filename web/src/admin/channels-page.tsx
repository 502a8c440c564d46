import { useQuery } from '@tanstack/react-query';
import type { DeskProvider } from '@zhiber/contract/admin/channels.ts';
import { useAdminTexts } from '../texts/use-admin-texts.ts';
import { Card } from '../ui/display/card.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { Time } from '../ui/display/time.tsx';
import { type DeskAnswer, queryOf } from './call.ts';
import { ChannelQuality } from './channels/channel-quality.tsx';
import { ProviderTable } from './channels/provider-table.tsx';

const REFRESH_MS = 10_000;

type Channels = DeskAnswer<'channels'>;

/** The health of channels and providers, refreshed by itself. */
export function ChannelsPage() {
  const { frame, channels: texts } = useAdminTexts();
  const list = useQuery({ ...queryOf('channels'), refetchInterval: REFRESH_MS });
  return (
    <Page title={frame.sections.channels} lead={texts.lead}>
      {list.data === undefined && list.error !== null && (
        <Failure error={list.error} onRetry={list.refetch} />
      )}
      {list.isPending && <SkeletonCard lines={6} />}
      {list.data !== undefined && <Providers channels={list.data} />}
      <ChannelQuality />
    </Page>
  );
}

function Providers({ channels }: { channels: Channels }) {
  const texts = useAdminTexts().channels;
  const ofKind = (kind: DeskProvider['kind']) =>
    channels.providers.filter((provider) => provider.kind === kind);
  return (
    <>
      {channels.is_sandbox && <p className="text-muted">{texts.sandbox}</p>}
      <ProviderTable title={texts.messages} providers={ofKind('messages')} hasAnswers />
      <ProviderTable title={texts.payments} providers={ofKind('payments')} />
      <Nodes nodes={channels.nodes} />
    </>
  );
}

function Nodes({ nodes }: { nodes: Channels['nodes'] }) {
  const texts = useAdminTexts().channels;
  return (
    <Card title={texts.nodes}>
      {nodes.length === 0 ? (
        <p className="text-table text-muted">{texts.noNodes}</p>
      ) : (
        <ul className="grid gap-1.5 text-table">
          {nodes.map(({ name, version, role, started_at: startedAt }) => (
            <li key={name} className="flex flex-wrap gap-x-4">
              <span className="font-mono wrap-anywhere">{name}</span>
              <span className="text-muted">
                {texts.nodeVersion(version)}, {role !== null && `${texts.roles[role]}, `}
                {texts.nodeStarted} <Time at={startedAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
