import { useQuery } from '@tanstack/react-query';
import type { Broadcast } from '@zhiber/contract/cabinet/broadcasts.ts';
import { useEffect, useRef, useState } from 'react';
import { type Body, call, type EndpointName } from '../../call.ts';
import { CallError } from '../../call-error.ts';
import { invalidate, queryClient, queryOf } from '../../queries.ts';

export type DraftChanges = Omit<Body<'changeBroadcast'>, 'version'>;

/** While rows are read or checked, their count is asked for this often. */
const READING_MS = 1_000;
const RUNNING_MS = 2_000;
/** Another person approves it, or gives it back. */
const APPROVAL_MS = 10_000;

/** Of a save, and of a start. */
const CONFLICTS = ['broadcast_outdated', 'changed_meanwhile'];

/** What a change of a draft makes stale. */
export const DRAFT_QUERIES = [
  'broadcast',
  'broadcasts',
  'checkText',
  'estimate',
] as const satisfies readonly EndpointName[];

export type Draft = ReturnType<typeof useDraft> & { broadcast: Broadcast };

/**
 * One broadcast, and the saving of a draft. Each save names the version that this page has: when
 * another page has saved since, it is refused, and nothing is overwritten.
 */
export function useDraft(id: string) {
  const [isUploading, setUploading] = useState(false);
  const query = queryOf('broadcast', { params: { id } });
  const { data, error, refetch } = useQuery({
    ...query,
    refetchInterval: ({ state: { data: now } }) =>
      isUploading || isBusyWithRows(now)
        ? READING_MS
        : now?.state === 'running'
          ? RUNNING_MS
          : now?.needs_approval
            ? APPROVAL_MS
            : false,
  });
  const version = useRef<number>(undefined);
  useEffect(() => {
    version.current ??= data?.version;
  }, [data]);
  const [saves, setSaves] = useState(0);
  const [saveError, setSaveError] = useState<Error | null>(null);
  /** A new one makes the steps begin again from what is stored. */
  const [epoch, setEpoch] = useState(0);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  /**
   * After a conflict nothing is saved until the stored draft is loaded: not by further typing, and not
   * by the step that is then left.
   */
  const isStale = useRef(false);
  useEffect(() => {
    isStale.current = false;
  }, [epoch]);

  const show = (part: Partial<Broadcast>) =>
    queryClient.setQueryData(query.queryKey, (before) =>
      before === undefined ? before : { ...before, ...part },
    );

  const saveNow = async (changes: DraftChanges): Promise<boolean> => {
    if (isStale.current) return false;
    try {
      const body = { ...changes, version: version.current ?? 1 };
      const answer = await call('changeBroadcast', { params: { id }, body });
      version.current = answer.version;
      setSaveError(null);
      show({ version: answer.version });
      return true;
    } catch (refusal) {
      isStale.current ||= isConflict(refusal);
      setSaveError(refusal as Error);
      return false;
    }
  };

  /** Saves one part after the other, because each answer has the version for the next. */
  const save = async (changes: DraftChanges): Promise<boolean> => {
    if (isStale.current) return false;
    setSaves((count) => count + 1);
    // A choice is seen at once; an answer that is under way would take it back for a moment.
    void queryClient.cancelQueries({ queryKey: query.queryKey });
    show(changes);
    const saved = last.current.then(() => saveNow(changes));
    last.current = saved;
    const isSaved = await saved;
    setSaves((count) => count - 1);
    if (last.current === saved) invalidate(DRAFT_QUERIES);
    return isSaved;
  };

  /** Takes what is stored, after the rows were changed. What was typed stays. */
  const adopt = async () => {
    const { data: stored } = await refetch();
    version.current = stored?.version ?? version.current;
    invalidate(['broadcasts', 'checkText', 'estimate', 'rows']);
  };

  return {
    id,
    broadcast: data,
    loadError: error,
    epoch,
    save,
    show,
    adopt,
    setUploading,
    isSaving: saves > 0,
    saveError,
    isConflict: isConflict(saveError),
    /** Takes what is stored, and drops what was typed here. */
    reload: async () => {
      await adopt();
      setSaveError(null);
      setEpoch((count) => count + 1);
    },
  };
}

/** Another page, or another person, has saved since. */
export function isConflict(error: unknown): boolean {
  return error instanceof CallError && CONFLICTS.includes(error.code);
}

function isBusyWithRows(broadcast: Broadcast | undefined): boolean {
  return broadcast?.rows.state === 'reading' || broadcast?.rows.state === 'checking';
}
