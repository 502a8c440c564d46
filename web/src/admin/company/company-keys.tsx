import type { CompanyPage as Company } from '@zhiber/contract/admin/companies.ts';
import { Ban } from 'lucide-react';
import { useState } from 'react';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { ChannelLabel } from '../../ui/display/channel.tsx';
import { Chip } from '../../ui/display/chip.tsx';
import { ExpiryChip } from '../../ui/display/expiry-chip.tsx';
import { ModeChip } from '../../ui/display/status-chip.tsx';
import { Time } from '../../ui/display/time.tsx';
import type { Column } from '../../ui/table/data-table.tsx';
import { LimitsDialog } from './company-acts.tsx';
import { CompanyTable } from './company-table.tsx';

type Key = Company['keys'][number];

export function CompanyKeys({ company }: { company: Company }) {
  const texts = useAdminTexts().companies;
  const format = useFormat();
  const [limited, setLimited] = useState<Key | undefined>();
  const columns: Column<Key>[] = [
    {
      id: 'name',
      title: texts.key,
      cell: (key) => (
        <span className="grid min-w-0">
          <span className="wrap-anywhere">{key.name}</span>
          <code className="text-sm font-normal text-muted">{key.prefix}…</code>
        </span>
      ),
    },
    {
      id: 'mode',
      title: texts.state,
      cell: ({ mode, is_revoked: isRevoked, expires_at: expiresAt }) => (
        <span className="flex flex-wrap gap-1.5">
          <ModeChip mode={mode} />
          {isRevoked && (
            <Chip tone="calm" icon={Ban}>
              {texts.revoked}
            </Chip>
          )}
          <ExpiryChip end={isRevoked ? null : expiresAt} />
        </span>
      ),
      onCard: 'plain',
      className: 'sm:whitespace-nowrap',
    },
    {
      id: 'channels',
      title: texts.channels,
      cell: ({ channels }) => (
        <span className="flex flex-wrap gap-x-3 gap-y-1">
          {channels.map((channel) => (
            <ChannelLabel key={channel} channel={channel} />
          ))}
        </span>
      ),
      onCard: 'plain',
    },
    { id: 'caps', title: texts.caps, cell: (key) => <Caps apiKey={key} /> },
    {
      id: 'rate',
      title: texts.rate,
      cell: ({ rate_per_minute: rate }) =>
        rate === null ? texts.rateDefault : format.number(rate),
    },
    {
      id: 'used',
      title: texts.used,
      cell: ({ used_at: at }) => (at === null ? texts.unused : <Time at={at} as="relative" />),
    },
    {
      id: 'limits',
      title: texts.limits,
      isTitleHidden: true,
      cell: (key) =>
        !key.is_revoked && (
          <Button onClick={() => setLimited(key)}>
            <span>
              {texts.limits}
              <span className="sr-only"> {key.name}</span>
            </span>
          </Button>
        ),
      onCard: 'plain',
    },
  ];
  return (
    <>
      <CompanyTable
        title={texts.keys}
        columns={columns}
        rows={company.keys}
        rowKey={({ id }) => id}
        none={texts.noKeys}
      />
      {limited !== undefined && (
        <LimitsDialog
          companyId={company.id}
          apiKey={limited}
          onClose={() => setLimited(undefined)}
        />
      )}
    </>
  );
}

/** What may be spent in a day and in a month, and how much of it is gone. */
function Caps({ apiKey }: { apiKey: Key }) {
  const texts = useAdminTexts().companies;
  const format = useFormat();
  const caps = [
    { period: 'day', cap: apiKey.daily_cap, spent: apiKey.spent_today },
    { period: 'month', cap: apiKey.monthly_cap, spent: apiKey.spent_this_month },
  ] as const;
  const lines = caps.flatMap(({ period, cap, spent }) =>
    cap === null
      ? []
      : [{ period, text: texts.capUsed(format.money(spent ?? 0), format.money(cap)) }],
  );
  if (lines.length === 0) return texts.noLimit;
  return (
    <span className="grid">
      {lines.map(({ period, text }) => (
        <span key={period}>
          <span>{text}</span> <span className="text-sm text-muted">{texts.capPeriods[period]}</span>
        </span>
      ))}
    </span>
  );
}
