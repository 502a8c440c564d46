import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import { importPart } from '../../app/lazy-page.tsx';

/** The library that draws charts is as large as all else on a page. */
export const loadPlot = () => importPart(() => import('./plot.tsx'), 'Plot');

type Plot = Awaited<ReturnType<typeof loadPlot>>;
/** Kept, so that later charts are drawn at once. */
let loaded: Plot | undefined;

/** A drawn chart; until its code is there `waiting`, and `instead` when it cannot be loaded. */
export function LazyPlot({
  waiting,
  instead,
  ...props
}: ComponentProps<Plot> & { waiting: ReactNode; instead: ReactNode }) {
  const [Plot, setPlot] = useState(() => loaded);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (loaded !== undefined) return;
    let isShown = true;
    loadPlot().then(
      (plot) => {
        loaded = plot;
        if (isShown) setPlot(() => plot);
      },
      () => isShown && setFailed(true),
    );
    return () => {
      isShown = false;
    };
  }, []);
  if (hasFailed) return instead;
  return Plot === undefined ? waiting : <Plot {...props} />;
}
