import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import type { TrySession } from '@zhiber/contract/try.ts';
import { useState } from 'react';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import type { PlaygroundFacts, PlaygroundKey, PlaygroundLinks } from './backend.ts';
import { Playground } from './playground.tsx';
import { useDraft } from './request/draft.ts';
import { ModeChoice } from './request/key-choice.tsx';
import { type Run, withRun } from './runs.ts';
import { TryFrame } from './try-frame.tsx';
import { type OpenSandbox, useSandbox } from './use-sandbox.ts';

const ALL_CONTENT = ['code', 'code_with_link', 'text', 'group'] as const;
const CARRIES_ALL = { whatsapp: ALL_CONTENT, telegram: ALL_CONTENT, sms: ALL_CONTENT };

const LINKS: PlaygroundLinks = {
  request: (id) => (
    <code translate="no" className="font-mono text-sm break-all text-muted">
      {id}
    </code>
  ),
  message: () => null,
  groups: null,
};

/** The playground of the sandbox, with the keys of the demo company and without a sign-in. */
export function TryPage() {
  const sandbox = useSandbox();
  return (
    <TryFrame company={sandbox?.session.company}>
      {sandbox === undefined ? <SkeletonCard lines={8} /> : <SandboxPlayground {...sandbox} />}
    </TryFrame>
  );
}

function SandboxPlayground({ session, backend }: OpenSandbox) {
  const [mode, setMode] = useState<PlaygroundKey['mode']>('test');
  const [runs, setRuns] = useState<readonly Run[]>([]);
  const draft = useDraft();
  const facts = factsOf(session);
  const apiKey = facts.keys.find((key) => key.mode === mode) as PlaygroundKey;
  return (
    <Playground
      backend={backend}
      facts={facts}
      apiKey={apiKey}
      keyChoice={<ModeChoice mode={mode} onChoose={setMode} />}
      draft={draft}
      links={LINKS}
      runs={{ runs, addRun: (run) => setRuns((before) => withRun(before, run)) }}
    />
  );
}

function factsOf({
  keys,
  prices,
  groups,
  base_url: baseUrl,
  is_sms_per_part: isSmsPerPart,
}: TrySession): PlaygroundFacts {
  const keyOf = (mode: PlaygroundKey['mode'], id: number): PlaygroundKey => ({
    id,
    mode,
    text: keys[mode],
    channels: [...CHANNELS],
    language: 'ru',
    brand: null,
  });
  return {
    keys: [keyOf('test', 1), keyOf('live', 2)],
    prices,
    isSmsPerPart,
    carries: { test: CARRIES_ALL, live: CARRIES_ALL },
    groups,
    baseUrl,
    isSandbox: true,
    ownPhone: null,
  };
}
