import { useTexts } from '../../texts/use-texts.tsx';

/** Over the pages of a sandbox that are open without a sign-in. */
export function SandboxStripe() {
  const texts = useTexts().layout;
  return (
    <aside
      aria-label={texts.sandbox}
      className="bg-stripe-tint px-4 py-1.5 text-center text-sm text-stripe"
    >
      <strong>{texts.sandbox}</strong> — {texts.sandboxNote}
    </aside>
  );
}
