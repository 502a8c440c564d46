import { Check, TriangleAlert, X } from 'lucide-react';
import { useTexts } from '../texts/use-texts.tsx';
import { Chip } from '../ui/display/chip.tsx';

const CLASSES = [
  { below: 400, name: 'ok', tone: 'ok', icon: Check },
  { below: 500, name: 'refused', tone: 'warn', icon: X },
  { below: 600, name: 'failed', tone: 'bad', icon: TriangleAlert },
] as const;

/** The status code; screen readers also get the meaning of its class. */
export function HttpStatus({ status }: { status: number }) {
  const texts = useTexts().requests;
  const statusClass = CLASSES.find(({ below }) => status < below) ?? CLASSES[2];
  return (
    <Chip tone={statusClass.tone} icon={statusClass.icon}>
      {status} <span className="sr-only">{texts.classes[statusClass.name]}</span>
    </Chip>
  );
}
