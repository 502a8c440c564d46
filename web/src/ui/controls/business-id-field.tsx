import { isBusinessId } from '@zhiber/contract/cabinet/business-id.ts';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../../texts/use-texts.tsx';
import { Optional } from './field.tsx';
import { TextField } from './text-field.tsx';

const LENGTH = 12;

/** Shows how many digits are missing, then whether the check digit is correct. */
export function BusinessIdField({ saved }: { saved: string | null }) {
  const texts = useTexts().company;
  const [typed, setTyped] = useState(saved ?? '');
  const isComplete = typed.length === LENGTH;
  return (
    <TextField
      name="business_id"
      label={<Optional label={texts.businessId} />}
      hint={<Hint typed={typed} />}
      error={isComplete && !isBusinessId(typed) ? texts.businessIdWrong : undefined}
      inputMode="numeric"
      pattern={`[0-9]{${LENGTH}}`}
      autoComplete="off"
      value={typed}
      onChange={({ currentTarget: { value } }) =>
        setTyped(value.replaceAll(/\D/g, '').slice(0, LENGTH))
      }
    />
  );
}

function Hint({ typed }: { typed: string }) {
  const texts = useTexts().company;
  if (typed === '') return texts.businessIdHint;
  if (typed.length < LENGTH) return texts.digitsLeft(LENGTH - typed.length);
  if (!isBusinessId(typed)) return texts.businessIdHint;
  return (
    <span className="flex items-center gap-1.5 text-ok">
      <CircleCheck aria-hidden="true" size={16} className="shrink-0" />
      {texts.businessIdFits}
    </span>
  );
}
