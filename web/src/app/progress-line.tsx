import { useRouterState } from '@tanstack/react-router';

/** A thin line at the top while the code of the next page is loading. */
export function ProgressLine() {
  const isLoading = useRouterState({ select: ({ status }) => status === 'pending' });
  if (!isLoading) return null;
  return (
    <div
      aria-hidden="true"
      data-progress=""
      className="appear-late fixed inset-x-0 top-0 z-50 h-0.5 overflow-hidden"
    >
      <div className="h-full w-1/4 animate-[slide_1s_linear_infinite] bg-brand" />
    </div>
  );
}
