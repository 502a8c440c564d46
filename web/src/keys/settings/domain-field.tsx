import { TriangleAlert } from 'lucide-react';
import { useTexts } from '../../texts/use-texts.tsx';
import { Optional } from '../../ui/controls/field.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';

/** The domain that a key is restricted to, with what that means for calls from a server. */
export function DomainField(props: { value: string; onChange: (domain: string) => void }) {
  const { value, onChange } = props;
  const texts = useTexts().keys;
  const domain = value.trim();
  return (
    <div className="grid gap-2">
      <TextField
        name="domain"
        label={<Optional label={texts.domainLabel} />}
        hint={texts.domainRule}
        placeholder="shop.kz"
        maxLength={253}
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <p role="status" className="empty:hidden">
        {domain !== '' && (
          <span className="flex gap-2 rounded-control bg-warn-tint px-3 py-2 text-sm text-warn">
            <TriangleAlert aria-hidden="true" size={16} className="mt-0.5 shrink-0" />
            <span className="min-w-0 break-words">{texts.domainWarning(domain)}</span>
          </span>
        )}
      </p>
    </div>
  );
}
