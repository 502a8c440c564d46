import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { copyText } from '../../../../server/src/http/pages/assets/client/copy.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { useToasts } from '../overlays/toasts.tsx';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';

const SHOWN_MS = 2_000;

export type CopyButtonProps = {
  text: string;
  /** What is copied, for the name of the button: "Скопировать ключ". */
  label?: string;
  isIcon?: boolean;
  look?: 'plain' | 'primary';
  onCopied?: () => void;
};

export function CopyButton({
  text,
  label,
  isIcon = false,
  look = 'plain',
  onCopied,
}: CopyButtonProps) {
  const texts = useTexts().ui;
  const { announce } = useToasts();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    const isDone = await copyText(text);
    announce(isDone ? texts.copied : texts.notCopied);
    if (!isDone) return;
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
    onCopied?.();
  };
  const Icon = isCopied ? Check : Copy;
  const press = () => void copy();
  if (isIcon) return <IconButton icon={Icon} label={label ?? texts.copy} onClick={press} />;
  return (
    <Button look={look} icon={<Icon aria-hidden="true" size={16} />} onClick={press}>
      {isCopied ? texts.copied : (label ?? texts.copy)}
    </Button>
  );
}
