import { useTexts } from '../texts/use-texts.tsx';

/** Links an error code to its documentation, in a new tab so that the list stays open. */
export function ErrorLink({ code }: { code: string | null }) {
  const texts = useTexts().requests;
  if (code === null) return '—';
  return (
    <a
      href={`/docs/errors/${code}`}
      target="_blank"
      rel="noreferrer"
      title={texts.aboutError}
      className="link relative z-1 font-mono text-sm"
    >
      {code}
    </a>
  );
}
