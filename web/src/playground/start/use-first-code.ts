import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { queryOf } from '../../queries.ts';
import { useSession } from '../../session.ts';
import type { ReceivedMessage } from '../../ui/phone/received-message.ts';
import type { PlaygroundKey } from '../backend.ts';
import { createCabinetBackend } from '../cabinet-backend.ts';
import { usePhone } from '../phone/use-phone.ts';
import { FIRST_FIELDS } from '../request/fields.ts';
import { useCabinetRuns } from '../use-cabinet-runs.ts';
import { useCalls } from '../use-calls.ts';

/** A verification from a terminal is no event of the phone. */
const VERIFIED_POLL_MS = 2_000;

/**
 * The first code of a company, whether it is sent and verified from this page or from a terminal with
 * the same key.
 */
export function useFirstCode(apiKey: PlaygroundKey) {
  const { is_sandbox: isSandbox } = useSession();
  const client = useQueryClient();
  const backend = useMemo(
    () => createCabinetBackend(client, { keyId: apiKey.id, isSandbox }),
    [client, apiKey.id, isSandbox],
  );
  const calls = useCalls(backend, useCabinetRuns().addRun);
  const [code, setCode] = useState('');
  const phone = usePhone(backend, true, {
    onNews: () => setCode(''),
    onReceipt: () => undefined,
    onReconnected: () => undefined,
  });
  const received = phone.messages.findLast((message) => message.code !== null);
  const story = useVerified(received?.message_id);

  const verify = async (typed: string, message = received) => {
    setCode(typed);
    if (message === undefined) return;
    await calls.run(apiKey, 'otpVerify', { ...FIRST_FIELDS, phone: message.phone, code: typed });
  };
  return {
    phone,
    received,
    code,
    setCode,
    isVerified: story,
    ended: calls.ended,
    running: calls.running?.operation,
    send: () => void calls.run(apiKey, 'otpSend', FIRST_FIELDS),
    verify: (typed: string, message?: ReceivedMessage) => void verify(typed, message),
  };
}

function useVerified(messageId: string | undefined): boolean {
  const isDone = (steps: readonly { step: string }[] | undefined) =>
    steps?.some(({ step }) => step === 'verified') ?? false;
  const { data } = useQuery({
    ...queryOf('message', { params: { id: messageId ?? '' } }),
    enabled: messageId !== undefined,
    placeholderData: undefined as never,
    refetchInterval: (query) => (isDone(query.state.data?.steps) ? false : VERIFIED_POLL_MS),
  });
  return isDone(data?.steps);
}
