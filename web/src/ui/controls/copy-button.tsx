import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { copyText } from '../../snippets/copy.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { useToasts } from '../overlays/toasts.tsx';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';

const SHOWN_MS = 2_000;

export type CopyButtonProps = {
  text: string;
  /** The accessible name, which says what is copied: "Скопировать ключ". */
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
  const startCopy = () => void copy();
  if (isIcon) return <IconButton icon={Icon} label={label ?? texts.copy} onClick={startCopy} />;
  return (
    <Button look={look} icon={<Icon aria-hidden="true" size={16} />} onClick={startCopy}>
      {isCopied ? texts.copied : (label ?? texts.copy)}
    </Button>
  );
}
