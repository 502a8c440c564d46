import { type ComponentType, useEffect, useRef, useState } from 'react';

export type ProofDialogProps = { onEnd: (isConfirmed: boolean) => void };
type Asked = { Dialog: ComponentType<ProofDialogProps>; resolve: (isConfirmed: boolean) => void };

/**
 * Opens a dialog when a call is refused because the person has to confirm that it is them. The call
 * is retried once they have. The dialog is loaded when it is needed first.
 */
export function ProofGate(props: {
  onRefusal: { staleSignIn: () => Promise<boolean> };
  load: () => Promise<ComponentType<ProofDialogProps>>;
}) {
  const { onRefusal } = props;
  const [asked, setAsked] = useState<Asked>();
  const load = useRef(props.load);
  useEffect(() => {
    onRefusal.staleSignIn = async () => {
      const Dialog = await load.current();
      return await new Promise((resolve) => setAsked({ Dialog, resolve }));
    };
    return () => {
      onRefusal.staleSignIn = async () => false;
    };
  }, [onRefusal]);
  if (asked === undefined) return null;
  const end = (isConfirmed: boolean) => {
    asked.resolve(isConfirmed);
    setAsked(undefined);
  };
  return <asked.Dialog onEnd={end} />;
}
