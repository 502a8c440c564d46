import { ErrorText } from '../../texts/error-text.tsx';

/** Beside the button or switch of a refused action that has no form to show the error in. */
export function Refusal({ error }: { error: Error | null }) {
  if (error === null) return null;
  return (
    <p role="alert" className="w-full text-sm text-bad">
      <ErrorText error={error} />
    </p>
  );
}
