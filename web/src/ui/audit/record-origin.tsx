import { useTexts } from '../../texts/use-texts.tsx';
import { CopyButton } from '../controls/copy-button.tsx';

/** Where a recorded change came from. */
export function RecordOrigin({
  record,
}: {
  record: { address: string | null; request_id: string | null };
}) {
  const { ui } = useTexts();
  const { address, request_id: requestId } = record;
  // Changes from the command line have no address and no request id.
  if (address === null && requestId === null) return <span className="text-faint">—</span>;
  return (
    <div className="grid justify-items-start max-sm:justify-items-end">
      {address !== null && <span className="font-mono text-sm">{address}</span>}
      {requestId !== null && (
        <span className="-my-1.5 flex items-center font-mono text-sm text-muted">
          <span className="max-w-32 truncate" title={requestId}>
            {requestId}
          </span>
          <CopyButton isIcon text={requestId} label={ui.copyRequestId} />
        </span>
      )}
    </div>
  );
}
