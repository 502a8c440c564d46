import type { Switches } from '@zhiber/contract/try.ts';
import { useCallback, useEffect, useState } from 'react';
import { useTexts } from '../../texts/use-texts.tsx';
import { useToasts } from '../../ui/overlays/toasts.tsx';
import type { PlaygroundBackend } from '../backend.ts';

/** The switches show what the server has; one that could not be switched goes back. */
export function useSwitches({ switches: server }: PlaygroundBackend) {
  const texts = useTexts().playground;
  const { showToast } = useToasts();
  const [switches, setSwitches] = useState<Switches>();

  const refresh = useCallback(() => {
    // Until they are known the switches are disabled; the phone shows a lost connection.
    server?.read().then(setSwitches, () => setSwitches(undefined));
  }, [server]);
  useEffect(refresh, [refresh]);

  const change = (name: keyof Switches, isOn: boolean) => {
    if (server === undefined || switches === undefined) return;
    const wished = { ...switches, [name]: isOn };
    setSwitches(wished);
    server.change(wished).then(setSwitches, () => {
      setSwitches(switches);
      showToast(texts.switchFailed);
    });
  };
  return { switches, change, refresh };
}
