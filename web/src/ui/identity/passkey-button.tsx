import { useMutation } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { Button, type Look } from '../controls/button.tsx';
import { ErrorCard } from '../display/error-card.tsx';

/** Signs in with a passkey: alone, or as the second step. */
export function PasskeyButton(props: {
  label: string;
  look?: Look;
  signIn: () => Promise<void>;
  onDone: () => void;
}) {
  const { label, look = 'plain', signIn, onDone } = props;
  const { mutate, isPending, error } = useMutation({ mutationFn: signIn, onSuccess: onDone });
  return (
    <div className="grid gap-2">
      <Button
        look={look}
        icon={<Fingerprint aria-hidden="true" size={18} />}
        isBusy={isPending}
        onClick={() => mutate()}
      >
        {label}
      </Button>
      {error !== null && <ErrorCard error={error} />}
    </div>
  );
}
