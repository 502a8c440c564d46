import { CircleCheck, QrCode } from 'lucide-react';
import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { withoutScheme } from '../address.ts';
import type { CreatedLink } from './new-link-form.tsx';

/** Shows the new link with buttons to copy it or its QR code. */
export function CreatedNote({ link, onQr }: { link: CreatedLink; onQr: () => void }) {
  const texts = useTexts().links;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card bg-ok-tint p-4"
    >
      <CircleCheck aria-hidden="true" size={20} className="shrink-0 text-ok" />
      <p className="min-w-0 grow">
        <span className="text-ok">{texts.created}</span>{' '}
        <strong translate="no" className="break-all">
          {withoutScheme(link.short_url)}
        </strong>
      </p>
      <div className="flex flex-wrap gap-2">
        <CopyButton look="primary" text={link.short_url} label={texts.copyLink} />
        <Button icon={<QrCode aria-hidden="true" size={16} />} onClick={onQr}>
          {texts.qr}
        </Button>
      </div>
    </div>
  );
}
