import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ERRORS, type ErrorEntry } from '@zhiber/contract/api/errors.ts';
import type { ReactNode } from 'react';
import type { Answer } from '../call.ts';
import { CallError } from '../call-error.ts';
import { queryOf } from '../queries.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { LinkButton } from '../ui/controls/link-button.tsx';
import { Facts } from '../ui/display/card.tsx';
import { Code } from '../ui/display/code-block.tsx';
import { EmptyState } from '../ui/display/empty-state.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { ModeChip } from '../ui/display/status-chip.tsx';
import { Time } from '../ui/display/time.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { CallBodies } from './call-bodies.tsx';
import { ErrorLink } from './error-link.tsx';
import { HttpStatus } from './http-status.tsx';
import { SimilarErrors } from './similar-errors.tsx';

/** One call: its facts and bodies, how to repeat it, and similar failures. */
export function RequestPanel(props: { requestId: string; onClose: () => void }) {
  const { requestId, onClose } = props;
  const texts = useTexts().requests;
  const { data, error, refetch } = useQuery({
    ...queryOf('request', { params: { id: requestId } }),
    placeholderData: () => undefined,
  });
  const isMissing = error instanceof CallError && error.status === 404;
  return (
    <Dialog place="side" title={texts.one} onClose={onClose}>
      {data !== undefined ? (
        <RequestFacts call={data} />
      ) : isMissing ? (
        <EmptyState kind="no-match" title={texts.notFound}>
          {texts.notFoundAdvice}
        </EmptyState>
      ) : error !== null ? (
        <Failure error={error} onRetry={refetch} />
      ) : (
        <SkeletonCard lines={6} />
      )}
    </Dialog>
  );
}

type Fact = [name: string, value: ReactNode];

function RequestFacts({ call }: { call: Answer<'request'> }) {
  const { row } = call;
  const texts = useTexts().requests;
  const format = useFormat();
  const { columns } = texts;
  const rows: Fact[] = [
    [columns.at, <Time key="at" at={row.at} />],
    [columns.took, texts.millis(format.number(row.duration_ms))],
    ...(row.phone === null ? [] : [[columns.phone, format.phone(row.phone)] as Fact]),
    ...(row.channel === null ? [] : [[texts.channel, row.channel] as Fact]),
    [
      columns.key,
      <span key="key" className="inline-flex flex-wrap items-center gap-2">
        {row.key.name} <ModeChip mode={row.key.mode} />
      </span>,
    ],
    [
      columns.id,
      <span key="id" className="inline-flex max-w-full items-center gap-1">
        <Code>{row.request_id}</Code>
        <CopyButton isIcon text={row.request_id} />
      </span>,
    ],
  ];
  return (
    <div className="grid gap-6">
      <p className="flex flex-wrap items-center gap-3">
        <HttpStatus call={row} />
        <Code>{row.path}</Code>
      </p>
      {row.error_code !== null && <ErrorAdvice code={row.error_code} />}
      <Facts rows={rows} />
      {row.message_id !== null && (
        <div>
          <LinkButton to="/app/messages/$id" params={{ id: row.message_id }} search={{}}>
            {texts.openMessage}
          </LinkButton>
        </div>
      )}
      <CallBodies call={call} />
      {row.error_code !== null && <SimilarErrors code={row.error_code} besides={row.request_id} />}
      <p className="text-sm text-muted">
        <Link to="/app/requests" search={{ key_id: String(row.key.id) }} className="link">
          {texts.sameKey}
        </Link>
      </p>
    </div>
  );
}

/** Texts of the API are always in Russian, whatever the language of the cabinet. */
function ErrorAdvice({ code }: { code: string }) {
  const entry: ErrorEntry | undefined = (ERRORS as Record<string, ErrorEntry>)[code];
  return (
    <section className="grid gap-1 rounded-card border border-hairline bg-sunken p-4 text-table">
      <p>
        <ErrorLink code={code} />
      </p>
      {entry !== undefined && (
        <div lang="ru">
          <p className="font-medium">{entry.message}</p>
          <p className="text-muted">{entry.advice}</p>
        </div>
      )}
    </section>
  );
}
