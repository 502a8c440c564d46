import { ArrowRight } from 'lucide-react';
import { useAction } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { ActDialog } from '../ui/overlays/act-dialog.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';
import type { BrandOffer } from './brand-offer.ts';

/** Offers the new signature of the company to its keys: every change is shown before it is made. */
export function BrandOfferDialog({ offer, onClose }: { offer: BrandOffer; onClose: () => void }) {
  const { company: texts, keys: words } = useTexts();
  const { showToast } = useToasts();
  const change = useAction('changeKeyBrands', { invalidates: ['keys'] });
  const { keys, brand } = offer;
  const submit = () =>
    change.mutate(
      { body: { ids: keys.map(({ id }) => id), brand } },
      {
        onSuccess: ({ changed }) => {
          showToast(texts.brandsChanged(changed));
          onClose();
        },
      },
    );
  return (
    <ActDialog
      title={texts.brandOffer(keys.length)}
      action={texts.brandOfferAction}
      state={change}
      onSubmit={submit}
      onClose={onClose}
    >
      <ul className="grid max-h-72 gap-2 overflow-auto text-table">
        {keys.map((key) => (
          <li key={key.id} className="flex flex-wrap items-center gap-x-2">
            <span className="text-muted">{key.name}:</span>
            <span className="break-words">{key.brand ?? texts.noBrand}</span>
            <ArrowRight aria-label={words.becomes} size={14} className="shrink-0 text-muted" />
            <strong className="font-medium break-words">{brand}</strong>
          </li>
        ))}
      </ul>
      <p className="text-sm text-muted">{texts.brandOfferNote}</p>
    </ActDialog>
  );
}
