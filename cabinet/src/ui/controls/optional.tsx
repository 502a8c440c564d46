import { useTexts } from '../../texts/use-texts.tsx';

/** The label of a field that may stay empty; the others must be filled. */
export function Optional({ label }: { label: string }) {
  return (
    <>
      {label} <span className="font-normal text-muted">({useTexts().ui.optional})</span>
    </>
  );
}
