import type { Broadcast } from '@zhiber/contract/cabinet/broadcasts.ts';
import { Page } from '../../ui/display/page.tsx';
import { BroadcastState } from '../broadcast-state.tsx';

/** A broadcast that was started or scheduled. */
export default function BroadcastProgress({ broadcast }: { broadcast: Broadcast }) {
  return (
    <Page title={broadcast.name}>
      <p>
        <BroadcastState broadcast={broadcast} />
      </p>
    </Page>
  );
}
