import { useMutation } from '@tanstack/react-query';
import { RECIPIENT_FILE_BYTES_MAX } from '@zhiber/contract/cabinet/broadcast-words.ts';
import { useRef } from 'react';
import { type Body, call } from '../../call.ts';
import { CallError } from '../../call-error.ts';
import type { Draft } from './use-draft.ts';

const NAME_LENGTH_MAX = 200;

/** More than the server takes, so that nobody waits for the refusal. */
export class FileTooLarge extends Error {}

type Source =
  | { kind: 'file' | 'text'; name: string; content: Blob }
  | ({ kind: 'list' } & Body<'useList'>);

/** Gives the draft its rows, from a file, pasted text or a list. It can be cancelled. */
export function useUpload(draft: Draft, onLoaded: () => void) {
  const params = { id: draft.id };
  const controller = useRef<AbortController>(undefined);
  const mutation = useMutation({
    mutationFn: async (source: Source) => {
      controller.current = new AbortController();
      draft.setUploading(true);
      const { signal } = controller.current;
      if (source.kind === 'list') {
        const { kind: _, ...body } = source;
        return await call('useList', { params, body, signal });
      }
      if (source.content.size > RECIPIENT_FILE_BYTES_MAX) throw new FileTooLarge();
      return await call('uploadRows', {
        params,
        query: { name: source.name.slice(0, NAME_LENGTH_MAX), source: source.kind },
        file: source.content,
        signal,
      });
    },
    onSuccess: ({ rows }) => {
      draft.show({ rows });
      onLoaded();
    },
    onSettled: () => {
      draft.setUploading(false);
      void draft.adopt();
    },
  });
  return {
    isPending: mutation.isPending,
    error: isCancelled(mutation.error) ? null : mutation.error,
    file: (file: File) => mutation.mutate({ kind: 'file', name: file.name, content: file }),
    text: (text: string, name: string) =>
      mutation.mutate({ kind: 'text', name, content: new Blob([text]) }),
    list: (body: Body<'useList'>) => mutation.mutate({ kind: 'list', ...body }),
    cancel: () => controller.current?.abort(),
  };
}

function isCancelled(error: Error | null): boolean {
  return error !== null && !(error instanceof CallError) && error.name === 'AbortError';
}
