import { Check, TriangleAlert, X } from 'lucide-react';
import { useTexts } from '../texts/use-texts.tsx';
import { Chip } from '../ui/display/chip.tsx';

const CLASSES = [
  { below: 400, name: 'ok', tone: 'ok', icon: Check },
  { below: 500, name: 'refused', tone: 'warn', icon: X },
  { below: 600, name: 'failed', tone: 'bad', icon: TriangleAlert },
] as const;

/** The number, and what its class means. */
export function HttpStatus({ status }: { status: number }) {
  const texts = useTexts().requests;
  const found = CLASSES.find(({ below }) => status < below) ?? CLASSES[2];
  return (
    <Chip tone={found.tone} icon={found.icon}>
      {status} <span className="sr-only">{texts.classes[found.name]}</span>
    </Chip>
  );
}
