import { splitAddress } from './address.ts';

/** The target of a link, with its domain emphasised. */
export function Destination({ url, isWhole = false }: { url: string; isWhole?: boolean }) {
  const { domain, rest } = splitAddress(url);
  return (
    <span
      title={isWhole ? undefined : url}
      translate="no"
      className={isWhole ? 'break-all' : 'block truncate sm:max-w-72'}
    >
      <strong className="font-semibold">{domain}</strong>
      <span className="text-muted">{rest}</span>
    </span>
  );
}
