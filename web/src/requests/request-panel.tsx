import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ERRORS, type ErrorEntry } from '@zhiber/contract/api/errors.ts';
import type { RequestRow } from '@zhiber/contract/cabinet/requests.ts';
import type { ReactNode } from 'react';
import { queryOf } from '../queries.ts';
import { useSession } from '../session.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { LinkButton } from '../ui/controls/link-button.tsx';
import { Facts } from '../ui/display/card.tsx';
import { Code, CodeBlock } from '../ui/display/code-block.tsx';
import { EmptyState } from '../ui/display/empty-state.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { ModeChip } from '../ui/display/status-chip.tsx';
import { Time } from '../ui/display/time.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { ErrorLink } from './error-link.tsx';
import { HttpStatus } from './http-status.tsx';
import { exampleCurl } from './request-snippet.ts';
import { SimilarErrors } from './similar-errors.tsx';

/** One call: its facts, a curl command to repeat it, and similar failures. */
export function RequestPanel(props: { requestId: string; onClose: () => void }) {
  const { requestId, onClose } = props;
  const texts = useTexts().requests;
  const { data, error, refetch } = useQuery({
    ...queryOf('requests', { query: { request_id: requestId } }),
    placeholderData: () => undefined,
    queryKey: ['requests', 'one', requestId],
  });
  const row = data?.rows[0];
  return (
    <Dialog place="side" title={texts.one} onClose={onClose}>
      {row !== undefined ? (
        <RequestFacts row={row} />
      ) : error !== null ? (
        <Failure error={error} onRetry={refetch} />
      ) : data !== undefined ? (
        <EmptyState kind="no-match" title={texts.notFound}>
          {texts.notFoundAdvice}
        </EmptyState>
      ) : (
        <SkeletonCard lines={6} />
      )}
    </Dialog>
  );
}

function RequestFacts({ row }: { row: RequestRow }) {
  const texts = useTexts().requests;
  const format = useFormat();
  const { base_url: apiUrl } = useSession();
  const { columns } = texts;
  const rows: [string, ReactNode][] = [
    [columns.at, <Time key="at" at={row.at} />],
    [columns.took, texts.millis(format.number(row.duration_ms))],
    [columns.phone, row.phone === null ? '—' : format.phone(row.phone)],
    [texts.channel, row.channel ?? '—'],
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
        <HttpStatus status={row.status} />
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
      <CodeBlock label={texts.repeat} code={exampleCurl(row.path, apiUrl)} />
      {row.error_code !== null && <SimilarErrors code={row.error_code} besides={row.request_id} />}
      <p className="text-sm text-muted">
        {texts.privacy}{' '}
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
