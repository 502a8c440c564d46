import { Component, type ReactNode } from 'react';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';

/** Shows a notice in place of a page that broke; without it React leaves the page blank. */
export class CrashBoundary extends Component<{ children: ReactNode }, { hasCrashed: boolean }> {
  override state = { hasCrashed: false };

  static getDerivedStateFromError() {
    return { hasCrashed: true };
  }

  override render() {
    return this.state.hasCrashed ? <CrashNotice /> : this.props.children;
  }
}

function CrashNotice() {
  const texts = useTexts().layout;
  return (
    <main className="grid justify-items-start gap-3 p-6">
      <h1 className="text-xl">{texts.crashed}</h1>
      <p className="max-w-prose text-muted">{texts.crashedAdvice}</p>
      <Button onClick={() => location.reload()}>{texts.reload}</Button>
    </main>
  );
}
