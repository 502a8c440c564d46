import type { PhoneMessage } from '@zhiber/contract/cabinet/playground.ts';
import { type ReactNode, useRef, useState } from 'react';
import type { Answer } from '../call.ts';
import type { Verdict, VerifyTarget } from './answer/verify-card.tsx';
import { useLiveConsent } from './live-consent.tsx';
import type { RequestProps } from './request/request-card.tsx';
import { useRunner } from './use-runner.ts';

/** The calls of the page, and what the rest of it needs to know of them. */
export function useCalls({ row, operation, fields, onSet }: RequestProps) {
  const { run, running, answer, error } = useRunner(row.id);
  const { withConsent, dialog } = useLiveConsent();
  const [messageId, setMessageId] = useState<string>();
  const [target, setTarget] = useState<VerifyTarget>();
  const [verdict, setVerdict] = useState<Verdict>();
  /** What the codes sent from here are for; the phone itself does not show it. */
  const purposes = useRef(new Map<string, string>());

  const aim = (next: VerifyTarget) => {
    setTarget(next);
    setVerdict(undefined);
  };
  const onSent = ({ status, body }: Answer<'runOperation'>) => {
    if (typeof body.message_id === 'string') {
      setMessageId(body.message_id);
      purposes.current.set(body.message_id, fields.purpose);
    }
    if (operation !== 'otpSend' || status >= 400) return;
    aim({ phone: fields.phone, purpose: fields.purpose });
    onSet({ code: '' });
  };
  const send = () => {
    const start = () => run(operation, fields, onSent);
    // A link that is only shortened costs nothing and goes to nobody.
    if (row.mode === 'live' && operation !== 'linkShorten') withConsent(start);
    else start();
  };

  const verifyFields = { ...fields, ...(target ?? { purpose: '' }), code: fields.code.trim() };
  const verify = () =>
    run('otpVerify', verifyFields, ({ status, body }) =>
      setVerdict({ isRight: status < 400, message: String(body.message ?? '') }),
    );

  return {
    send,
    verify,
    verifyFields,
    running,
    answer,
    error,
    messageId,
    follow: setMessageId,
    target,
    verdict,
    /** The code of a message on the phone is about to be verified. */
    aimAt: ({ message_id: id, phone }: PhoneMessage) => {
      setMessageId(id);
      aim({ phone, purpose: purposes.current.get(id) ?? '' });
    },
    dialog: dialog as ReactNode,
  };
}
