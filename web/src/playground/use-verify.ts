import { useState } from 'react';
import type { Outcome, PlaygroundKey } from './backend.ts';

/** A code belongs to a key, a phone and a purpose; it is verified with the same three. */
export type VerifyTarget = {
  messageId: string | undefined;
  apiKey: PlaygroundKey;
  phone: string;
  purpose: string;
};

type VerifyState = { target?: VerifyTarget; code: string; outcome?: Outcome | 'nothingSent' };

/** The field for a code: which message it is about, what is typed, what came of it. */
export function useVerify() {
  const [state, setState] = useState<VerifyState>({ code: '' });
  return {
    ...state,
    type: (code: string) => setState((before) => ({ ...before, code })),
    /**
     * Makes ready for a new code. The phone and the answer both tell of it, in either order:
     * whichever comes second must not wipe what has been typed since. `codeBefore` is what stood in
     * the field when the code was asked for.
     */
    aim: (target: VerifyTarget, codeBefore?: string) =>
      setState((before) => {
        if (isSame(before.target, target)) return before;
        const isTyped = codeBefore !== undefined && before.code !== codeBefore;
        return { target, code: isTyped ? before.code : '' };
      }),
    /** Puts the code of a message into the field. */
    fill: (target: VerifyTarget, code: string) =>
      setState(({ target: known }) => ({
        target: known !== undefined && isSame(known, target) ? known : target,
        code,
      })),
    conclude: (outcome: VerifyState['outcome']) =>
      setState(({ target, code }) => ({
        ...(target && { target }),
        code,
        ...(outcome && { outcome }),
      })),
  };
}

function isSame(known: VerifyTarget | undefined, next: VerifyTarget): boolean {
  return known?.messageId !== undefined && known.messageId === next.messageId;
}
